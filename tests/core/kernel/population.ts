import type { Database } from '../../../runtime/database/types.js'
import type { Blog } from './blog.js'
import { execute } from './databases.js'

/** Ids of what was made. */
export interface Made {
  readonly posts: readonly string[]
  readonly notes: readonly string[]
}

/** Three users; Ada has a post with everything, Bob has forty, Cy has nothing. */
export async function populate(database: Database, blog: Blog): Promise<Made> {
  for (const name of ['Ada', 'Bob', 'Cy']) {
    await blog.users.store(null, { name, email: `${name}@x.org`, password: 'long enough' })
  }
  for (const name of ['One', 'Two']) await blog.companies.store(null, { name })
  await execute(database, `update users set email = '1@x.org' where id = 1`)
  const yes = database.dialect === 'sqlite' ? 1 : 'true'
  const no = database.dialect === 'sqlite' ? 0 : 'false'
  const day = database.dialect === 'sqlite' ? '2026-02-03T00:00:00.000+00:00' : '2026-02-03'
  await execute(database, 'insert into company_user values (?, ?, ?, ?)', [1, 1, yes, day])
  await execute(database, 'insert into company_user values (?, ?, ?, ?)', [2, 1, no, null])
  await execute(database, 'insert into company_user values (?, ?, ?, ?)', [1, 2, no, null])
  await blog.phones.store(null, { number: '1', user_id: '1' })
  const posts = await makePosts(blog)
  const notes = await makeNotes(blog)
  const red = await blog.tags.store(null, { name: 'red' })
  for (const [type, id] of [
    ['posts', posts[0]],
    ['notes', notes[2]],
    ['companies', '1'],
  ]) {
    await execute(database, 'insert into taggables values (?, ?, ?)', [
      type ?? '',
      id ?? '',
      red.id,
    ])
  }
  for (const [url, type, id] of [
    ['first', 'posts', posts[0]],
    ['second', 'posts', posts[0]],
    ['of a note', 'notes', notes[2]],
  ]) {
    const { id: image } = await blog.images.store(null, { url })
    await execute(database, 'update images set imageable_type = ?, imageable_id = ? where id = ?', [
      type ?? '',
      id ?? '',
      Number(image),
    ])
  }
  return { posts, notes }
}

async function makePosts(blog: Blog): Promise<string[]> {
  const posts: string[] = []
  const ada = await blog.posts.store({ id: 1 }, { title: 'everything' })
  posts.push(ada.id)
  for (let i = 1; i <= 40; i++) {
    const published_at = i % 2 === 0 ? '2026-01-01' : null
    posts.push((await blog.posts.store({ id: 2 }, { title: `p${String(i)}`, published_at })).id)
  }
  for (let i = 1; i <= 3; i++)
    await blog.comments.store({ id: 1 }, { body: `c${String(i)}`, post_id: posts[0] })
  for (let i = 1; i <= 30; i++)
    await blog.comments.store({ id: 2 }, { body: `b${String(i)}`, post_id: posts[40] })
  for (let i = 1; i <= 100; i++) {
    await blog.comments.store({ id: 3 }, { body: `d${String(i)}`, post_id: posts[1 + (i % 20)] })
  }
  return posts
}

async function makeNotes(blog: Blog): Promise<string[]> {
  const root = await blog.notes.store(null, { text: 'root' })
  const branch = await blog.notes.store(null, { text: 'branch', parent_id: root.id })
  const leaf = await blog.notes.store(null, { text: 'leaf', parent_id: root.id })
  return [root.id, branch.id, leaf.id]
}
