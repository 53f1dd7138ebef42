/** Lists of ids: `comment_ids` in an input gives the children it names to the record, all or nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { createBlog, type BlogOptions } from '../../core/kernel/blog.js'
import { counted, dialects, execute, openDatabase } from '../../core/kernel/databases.js'
import { ada, serve } from './serve.js'

const update =
  'mutation ($id: ID!, $input: PostInput!) { updatePost(id: $id, input: $input) { title comment_ids } }'
const create =
  'mutation ($input: PostInput!) { createPost(input: $input) { id comment_ids comments { body } } }'

describe.each(dialects)('lists of ids on %s', (dialect) => {
  let database: Database
  let theirs: string
  let ours: string
  let children: string[]

  beforeAll(async () => {
    database = await openDatabase(dialect)
    const { users } = createBlog(database)
    await users.store(null, { name: 'Ada', email: 'ada@x.org', password: 'long enough' })
    await users.store(null, { name: 'Bob', email: 'bob@x.org', password: 'long enough' })
  })
  afterAll(() => database.close())

  beforeEach(async () => {
    const { posts, comments } = createBlog(database)
    theirs = (await posts.store(ada, { title: 'Theirs' })).id
    ours = (await posts.store(ada, { title: 'Ours' })).id
    children = []
    for (const body of ['one', 'two']) {
      children.push((await comments.store(ada, { body, post_id: theirs })).id)
    }
  })

  const postOf = async (id: string | undefined) =>
    (await createBlog(database).comments.show(ada, id ?? '')).attributes['post_id']
  const nothingMoved = async () =>
    expect([await postOf(children[0]), await postOf(children[1])]).toEqual([theirs, theirs])
  const ask = (blog: BlogOptions = {}) => serve(database, { blog })

  test('move the children to the record that lists them, in one statement', async () => {
    const { result, statements } = await counted(database, () =>
      ask()(update, { id: ours, input: { title: 'Now ours', comment_ids: children } }),
    )
    expect(result.errors).toBeUndefined()
    expect(result.data.updatePost).toEqual({
      title: 'Now ours',
      comment_ids: children.toReversed(),
    })
    expect([await postOf(children[0]), await postOf(children[1])]).toEqual([ours, ours])
    const updates = statements.filter(({ sql }) => sql.startsWith('update "comments"'))
    expect(updates).toHaveLength(1)
  })

  test('are given to a new record', async () => {
    const { data, errors } = await ask()(create, { input: { title: 'New', comment_ids: children } })
    expect(errors).toBeUndefined()
    expect(data.createPost.comments).toEqual([{ body: 'two' }, { body: 'one' }])
    expect(await postOf(children[0])).toBe(data.createPost.id)
    const next = await createBlog(database).posts.store(ada, { title: 'Next' })
    expect(Number(next.id)).toBeGreaterThan(Number(data.createPost.id))
  })

  test('are given to a new record of another kind of id', async () => {
    const { notes } = createBlog(database)
    const child = await notes.store(null, { text: 'child' })
    const query = 'mutation ($input: NoteInput!) { createNote(input: $input) { id child_ids } }'
    const { data, errors } = await ask()(query, { input: { text: 'New', child_ids: [child.id] } })
    expect(errors).toBeUndefined()
    expect(data.createNote.child_ids).toEqual([child.id])
    expect((await notes.show(null, child.id)).attributes['parent_id']).toBe(data.createNote.id)
  })

  test.each([[null], [[]]])('that are %j change nothing', async (comment_ids) => {
    const { data, errors } = await ask()(update, { id: ours, input: { title: 'X', comment_ids } })
    expect([errors, data.updatePost]).toEqual([undefined, { title: 'X', comment_ids: [] }])
  })

  test('with ids that are not there are refused, naming them, and nothing is written', async () => {
    const before = await createBlog(database).posts.count(ada)
    const input = { title: 'New', comment_ids: [children[0], '999998', 'zebra', '999999'] }
    for (const answer of [
      await ask()(create, { input }),
      await ask()(update, { id: ours, input }),
    ]) {
      expect(answer.errors[0].extensions).toEqual({
        code: 'VALIDATION_FAILED',
        errors: {
          comment_ids: [
            'The comment ids must be ids of records that exist: there is no 999998, 999999, zebra.',
          ],
        },
      })
    }
    expect(await createBlog(database).posts.count(ada)).toBe(before)
    expect((await createBlog(database).posts.show(ada, ours)).attributes['title']).toBe('Ours')
    await nothingMoved()
  })

  test('with a child the user may not change are refused, and nothing is written', async () => {
    const policies = { comments: { update: () => ({ body: 'one' }) } }
    const { errors } = await ask({ policies })(update, {
      id: ours,
      input: { title: 'New', comment_ids: children },
    })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
    expect((await createBlog(database).posts.show(ada, ours)).attributes['title']).toBe('Ours')
    await nothingMoved()
  })

  test('with a child the user may not see are like ids that are not there', async () => {
    const policies = { comments: { show: () => ({ body: 'one' }) } }
    const { errors } = await ask({ policies })(update, {
      id: ours,
      input: { comment_ids: children },
    })
    expect(errors[0].extensions.errors.comment_ids[0]).toMatch(
      new RegExp(`there is no ${children[1]}\\.$`),
    )
    await nothingMoved()
  })

  test('ask the gate of the column that points back', async () => {
    const policies = { comments: { canUpdate: { post_id: () => false } } }
    const { errors } = await ask({ policies })(update, {
      id: ours,
      input: { comment_ids: children },
    })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
    await nothingMoved()
  })

  test('are not looked at for who may not write the record', async () => {
    const policies = { posts: { update: () => ({ owner_id: 2 }) } }
    const { errors } = await ask({ policies })(update, {
      id: ours,
      input: { comment_ids: ['999'] },
    })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
  })

  test('are written with the record or not at all', async () => {
    // A child that goes between the check and the write: the record stays as it was, too.
    const late = await ask({
      hooks: {
        posts: {
          beforeUpdate: async () => {
            await execute(database, `delete from comments where id = ${children[1]}`)
          },
        },
      },
    })(update, { id: ours, input: { title: 'New', comment_ids: children } })
    expect(late.errors[0].extensions.code).toBe('CONFLICT')
    expect((await createBlog(database).posts.show(ada, ours)).attributes['title']).toBe('Ours')
    expect(await postOf(children[0])).toBe(theirs)
  })

  test('run the hooks of each child, with the record it goes to', async () => {
    const seen: unknown[] = []
    const hooks: BlogOptions['hooks'] = {
      comments: {
        beforeUpdate: async (_context, row, values) => {
          // A hook may write on its own: no transaction is open yet.
          await execute(database, `update users set name = 'Seen' where id = 2`)
          seen.push(['before', row.body, String(values.post_id)])
          return { body: `${row.body}!` }
        },
        afterUpdate: (_context, row) => {
          seen.push(['after', row.body])
        },
      },
    }
    const { data, errors } = await ask({ hooks })(create, {
      input: { title: 'New', comment_ids: children },
    })
    expect(errors).toBeUndefined()
    const { id, comments } = data.createPost
    expect(comments).toEqual([{ body: 'two!' }, { body: 'one!' }])
    expect(seen.toSorted()).toEqual([
      ['after', 'one!'],
      ['after', 'two!'],
      ['before', 'one', id],
      ['before', 'two', id],
    ])
  })

  test('of a relation the user may not see change nothing', async () => {
    const policies = { posts: { canSee: { comments: () => false } } }
    const { errors } = await ask({ policies })(update, {
      id: ours,
      input: { comment_ids: children },
    })
    expect(errors).toBeUndefined()
    await nothingMoved()
  })

  test('leave a column alone that requests may not write', async () => {
    const query =
      'mutation ($id: ID!, $ids: [ID!]) { updateUser(id: $id, input: { post_ids: $ids }) { id } }'
    const { errors } = await ask()(query, { id: '2', ids: [ours] })
    expect(errors).toBeUndefined()
    expect((await createBlog(database).posts.show(ada, ours)).attributes['owner_id']).toBe('1')
  })

  test('to a record that its writer does not see are refused, and nothing is written', async () => {
    const before = await createBlog(database).posts.count(ada)
    const policies = { posts: { show: () => ({ title: { not: 'Hidden' } }) } }
    const { errors } = await ask({ policies })(create, {
      input: { title: 'Hidden', comment_ids: children },
    })
    expect(errors[0].extensions.errors.comment_ids).toEqual([
      'The comment ids would belong to a record that you cannot see.',
    ])
    expect(await createBlog(database).posts.count(ada)).toBe(before)
    await nothingMoved()
  })
})
