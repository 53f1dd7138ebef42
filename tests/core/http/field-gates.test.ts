import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Edits, type Project } from '../../support/project.js'

const gate = (gates: string) => (text: string) =>
  text.replace('  show: (user)', `  ${gates},\n  show: (user)`)

const edits: Edits = {
  'manifest/comments.ts': (text) =>
    text
      .replace('related: {', 'related: {\n    body: member(),')
      .replace('import { ', 'import { member, '),
  'app/Policies/CommentPolicy.ts': gate('canStore: { post_id: (user) => user?.is_admin === true }'),
  'app/Policies/ImagePolicy.ts': gate('canSee: { imageable_id: () => false }'),
  'app/Policies/PhonePolicy.ts': gate('canSee: { user_id: (user) => user?.is_admin === true }'),
}

/** Gates of a field apply to the relations over it, on every door. */
describe.each(databases)('gates of foreign keys on %s', (name) => {
  let blog: Project
  let ann: number
  let chief: number
  let post: number
  let draft: number

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann')
    chief = await blog.user('Chief', { is_admin: true })
    const published_at = '2026-01-01T00:00:00.000Z'
    post = await blog.insert('posts', { title: 'Open', owner_id: chief, published_at })
    draft = await blog.insert('posts', { title: 'Draft', owner_id: chief })
    await blog.insert('phones', { number: '1', user_id: chief })
    await blog.insert('images', { url: '/a.png', imageable_type: 'posts', imageable_id: post })
  })
  afterAll(() => blog.close())

  it('a key one may not store is not stored below its record either', async () => {
    const path = `/api/svc/posts/${post}/comments`
    expect((await blog.post(path, { body: 'x' }, ann)).status).toBe(403)
    expect((await blog.post(path, { body: 'x' }, chief)).status).toBe(201)
  })

  it('a foreign key the user may not see is hidden on the inverse relation too', async () => {
    const phoneOf = async (user: number) => {
      const { body } = await blog.get(`/api/svc/users/${chief}?include=phone`, user)
      return body.data.relationships?.phone?.id ?? null
    }
    expect(await phoneOf(chief)).toBe('1')
    expect(await phoneOf(ann)).toBeNull()
    expect((await blog.get(`/api/svc/users/${chief}/phone`, ann)).status).toBe(404)
    expect((await blog.get(`/api/svc/users/${chief}/phone`, chief)).status).toBe(200)
    const { body } = await blog.get(`/api/svc/posts/${post}?include=image`, chief)
    expect(body.data.relationships).toBeUndefined()
    expect((await blog.get(`/api/svc/posts/${post}/image`, chief)).status).toBe(404)
  })

  it('a key that stays what it is may be sent back, whether its record is visible or not', async () => {
    const values = { body: 'On a draft', post_id: draft, user_id: ann }
    const comment = await blog.insert('comments', values)
    const path = `/api/svc/comments/${comment}`
    const read = (await blog.get(path, ann)).body.data.attributes
    expect(read.post_id).toBe(String(draft))
    const put = await blog.put(path, { ...read, body: 'Changed' }, ann)
    expect([put.status, put.body.data?.attributes.body]).toEqual([200, 'Changed'])
    expect((await blog.patch(path, { post_id: draft }, ann)).status).toBe(200)
    const other = await blog.insert('posts', { title: 'Other draft', owner_id: chief })
    expect((await blog.patch(path, { post_id: other }, ann)).body.errors).toEqual({
      post_id: ['The post id must be the id of a record that exists.'],
    })
    expect((await blog.patch(path, { post_id: post }, ann)).status).toBe(200)
  })

  it('a member shows its field, whatever columns are listed', async () => {
    await blog.insert('comments', { body: 'Seen', post_id: post, user_id: ann })
    const { body } = await blog.get(`/api/svc/posts/${post}?include=comments[user_id].body`, ann)
    const [comment] = body.data.relationships.comments
    expect(comment.attributes).toEqual({ user_id: String(ann) })
    expect(comment.relationships).toEqual({ body: 'Seen' })
  })
})
