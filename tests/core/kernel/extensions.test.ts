import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { invalid } from '../../../runtime/errors.js'
import { withChildren } from '../../../runtime/features/child-lists/child-lists.js'
import { findAccount } from '../../../runtime/features/sign-in/accounts.js'
import type { AnyUser } from '../../../runtime/features/sign-in/auth.js'
import { relationsOf } from '../../../runtime/features/sign-in/user-relations.js'
import { userSource } from '../../../runtime/features/sign-in/users.js'
import type { Access, Definition, Extension, Row } from '../../../runtime/model/entity.js'
import type { IndexQuery } from '../../../runtime/model/queries.js'
import type { Page, Resource } from '../../../runtime/model/resource.js'
import { openPage, readResources } from '../../../runtime/operations/read.js'
import { takenKeys } from '../../../runtime/operations/unique-keys.js'
import { parseIndexQuery, parseShowQuery } from '../../../runtime/query/parse-query.js'
import { strictQueries } from '../../../runtime/query/strict-queries.js'
import { identifier, sql, write } from '../../../runtime/sql/sql.js'
import { createBlog, storing } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import { failure } from './failure.js'

const ada = { id: 1 }
const list = (parameters: string) => parseIndexQuery(new URLSearchParams(parameters))

/** Descriptions say `gone` of posts that are there no more, unless a parameter asks for them. */
const trash: Extension = {
  visible: (access) =>
    access?.parameters.get('trashed') === true || { description: { isNull: true } },
  write: () => ({ removal: () => ({ description: 'gone' }) }),
  says: {
    parts: [
      {
        in: 'query',
        name: 'trashed',
        of: ['index', 'show'],
        read: (text) => (text === 'with' ? { value: true } : { problem: 'must be with' }),
      },
    ],
  },
}

let database: Database

const blogWith = (posts: readonly Extension[], more: Parameters<typeof createBlog>[1] = {}) =>
  createBlog(database, { ...more, definitions: { posts: { extensions: posts } } })

describe.each(dialects)('extensions on %s', (dialect) => {
  beforeAll(async () => {
    database = await openDatabase(dialect)
    const blog = createBlog(database)
    await blog.users.store(null, { name: 'Ada', email: 'a@x.org', password: 'long enough' })
    await blog.companies.store(ada, { name: 'Acme' })
  })
  beforeEach(() => execute(database, 'delete from posts'))
  afterAll(() => database.close())

  test('a write asks them in the order that is written down', async () => {
    const asked: string[] = []
    const note = <T>(what: string, answer: T) => {
      asked.push(what)
      return answer
    }
    const { posts } = blogWith(
      [
        {
          write: ({ records }) => ({
            around: async (write) => {
              const operation = records.map((record) => record.write.operation).join()
              asked.push(`${operation} begins`)
              const done = await write()
              return note(`${operation} ends`, done)
            },
            requires: () => note('requires', { condition: true, refusal: () => null }),
            check: ({ write: { body } }) => note(`check ${String(body['title'])}`, new Map()),
            readOthers: ({ write: { idText } }) => note(`others ${String(idText)}`, false),
            values: (_, { title }) => note('values', { description: `of ${String(title)}` }),
            within: ({ id, values }) => ({
              write: async () =>
                note(`within ${typeof id}, ${String(values['description'])}`, undefined),
              after: async () => note('after', undefined),
            }),
            made: async () => note('made', {}),
          }),
        },
      ],
      {
        hooks: {
          posts: {
            beforeStore: () => note('beforeStore', undefined),
            afterStore: () => note('afterStore', undefined),
            beforeUpdate: () => note('beforeUpdate', undefined),
            beforeDelete: () => note('beforeDelete', undefined),
          },
        },
      },
    )
    const post = await posts.store(ada, { title: 'one', description: 'mine' })
    expect(post.attributes).toMatchObject({ title: 'one', description: 'of one' })
    expect(asked.splice(0)).toEqual([
      'store begins',
      'check one',
      'others null',
      'beforeStore',
      'values',
      'within object, of one',
      'afterStore',
      'after',
      'made',
      'store ends',
    ])
    await posts.patch(ada, post.id, { title: 'two' })
    expect(asked.splice(0)).toEqual([
      'update begins',
      'requires',
      'check two',
      `others ${post.id}`,
      'beforeUpdate',
      'values',
      'within number, of two',
      'after',
      'made',
      'update ends',
    ])
    await posts.delete(ada, post.id)
    expect(asked.splice(0)).toEqual([
      'delete begins',
      'requires',
      `others ${post.id}`,
      'beforeDelete',
      'within number, undefined',
      'after',
      'delete ends',
    ])
  })

  test('what one throws in the transaction leaves nothing written', async () => {
    const { posts } = blogWith([
      {
        write: () => ({
          within: () => ({
            write: async (connection) => {
              await write(connection, sql`update users set name = ${'Eve'} returning id`)
              throw invalid({ title: ['No.'] })
            },
          }),
        }),
      },
    ])
    expect(await failure(posts.store(ada, { title: 'one' }))).toMatchObject({ status: 422 })
    expect((await posts.index(ada)).total).toBe(0)
    expect((await createBlog(database).users.show(ada, '1')).attributes['name']).toBe('Ada')
  })

  test('problems with a body stand beside those of the rules', async () => {
    const check = async () => new Map([['description', ['Not today.']]])
    const { posts } = blogWith([{ write: () => ({ check }) }])
    expect(await failure(posts.store(ada, {}))).toMatchObject({
      status: 422,
      errors: { title: ['The title field is required.'], description: ['Not today.'] },
    })
  })

  test('rows that one hides are in no list, total, include or condition of a policy', async () => {
    const { posts } = blogWith([trash])
    const kept = await posts.store(ada, { title: 'kept' })
    const gone = await posts.store(ada, { title: 'gone' })
    await posts.delete(ada, gone.id)
    expect(await posts.index(ada)).toMatchObject({ total: 1, data: [{ id: kept.id }] })
    expect(await failure(posts.show(ada, gone.id))).toMatchObject({ status: 404 })
    expect(await failure(posts.patch(ada, gone.id, { title: 'x' }))).toMatchObject({ status: 404 })
    const withGone = (show: object) =>
      blogWith([trash], { policies: { users: { show: () => show as never } } })
    const users = (show: object) => withGone(show).users.index(ada, list('include=posts'))
    const [user] = (await users({ posts: { some: { title: 'kept' } } })).data
    expect(user?.relationships?.['posts']).toMatchObject([{ id: kept.id }])
    expect((await users({ posts: { some: { title: 'gone' } } })).total).toBe(0)
    expect((await users({ posts: { none: { title: 'gone' } } })).total).toBe(1)
    expect((await users({ posts: { every: { title: 'kept' } } })).total).toBe(1)
  })

  test('who signs in is no row that one hides, and neither are the records of the user', async () => {
    const hidden: Extension = { visible: () => ({ name: { not: 'Gone' } }) }
    const blog = createBlog(database, {
      definitions: {
        users: { extensions: [storing(String), hidden] },
        posts: { extensions: [trash] },
      },
    })
    const users = userSource<AnyUser & Row>(blog.users, relationsOf(blog.users, ['posts']))
    const found = async () => ({
      rows: (await users.where(sql`u.id = ${1}`)).map(({ posts }) => posts),
      account: (await findAccount({ database, users }, 'a@x.org'))?.id,
    })
    const plain = createBlog(database)
    await plain.posts.store(ada, { title: 'kept' })
    await plain.posts.store(ada, { title: 'gone', description: 'gone' })
    expect(await found()).toEqual({
      rows: [[expect.objectContaining({ title: 'kept' })]],
      account: 1,
    })
    await plain.users.patch(ada, '1', { name: 'Gone' })
    expect(await found()).toEqual({ rows: [], account: undefined })
    await plain.users.patch(ada, '1', { name: 'Ada' })
  })

  test('a value that only a hidden row has is not taken', async () => {
    const definitions = { posts: { extensions: [trash], unique: ['title', 'published_at'] } }
    const { posts } = createBlog(database, { definitions })
    const taken = (title: string) =>
      takenKeys(posts.definition, { title }, null, []).then((keys) => keys.flat())
    const post = await posts.store(ada, { title: 'one' })
    expect(await taken('one')).toEqual(['title'])
    await posts.delete(ada, post.id)
    expect(await taken('one')).toEqual([])
  })

  test('the UPDATE of children that a record is given sets what one adds to it', async () => {
    const counting: Extension = {
      write: () => ({
        values: ({ write: { operation } }) =>
          operation === 'update' ? { body: sql`${'counted'}` } : {},
      }),
    }
    const definitions = { comments: { extensions: [counting] } }
    const { posts, comments } = createBlog(database, { definitions })
    const one = await posts.store(ada, { title: 'one' })
    const other = await posts.store(ada, { title: 'other' })
    const { id } = await comments.store(ada, { body: 'said', post_id: one.id })
    const lists = withChildren([{ name: 'comment_ids', relation: 'comments', ids: [id] }])
    await posts.patch(ada, other.id, {}, { extensions: lists })
    const { attributes } = await comments.show(ada, id)
    expect(attributes).toMatchObject({ post_id: other.id, body: 'counted' })
    await comments.delete(ada, id)
  })

  test('a parameter is read by the one that knows it, and a filter is a column', async () => {
    const { posts } = blogWith([trash], { settings: { strict: strictQueries } })
    const gone = await posts.store(ada, { title: 'gone' })
    await posts.delete(ada, gone.id)
    expect((await posts.index(ada, list('trashed=with'))).total).toBe(1)
    const one = parseShowQuery(new URLSearchParams('trashed=with'))
    expect(await posts.show(ada, gone.id, one)).toMatchObject({ id: gone.id })
    const refused = (parameters: string) => failure(posts.index(ada, list(parameters)))
    expect(await refused('trashed=yes')).toMatchObject({
      status: 400,
      message: 'The trashed parameter must be with.',
    })
    expect(await refused('filter[trashed]=with')).toMatchObject({ status: 400 })
    expect(await refused('trashe=with')).toMatchObject({
      message: expect.stringContaining(`is not known: 'trashed' is`),
    })
  })
  lists()

  test('meta has the members that one adds, where there is meta, in as many statements', async () => {
    const counting: Extension = { says: { meta: { titled: 'title' } } }
    const definitions = { posts: { extensions: [counting] } }
    const { posts, users } = createBlog(database, { definitions })
    const { statements, result } = await counted(database, () =>
      posts.store(ada, { title: 'one', description: null }),
    )
    expect(statements).toHaveLength(1)
    const titled = { meta: { authorizedToShow: true, titled: 'one' } }
    expect(result).toMatchObject(titled)
    expect(await posts.show(ada, result.id)).toMatchObject(titled)
    const query = list('include=posts[id]&withMeta=true')
    const [user] = (await users.index(ada, query)).data
    expect(user?.relationships?.['posts']).toMatchObject([{ attributes: {}, ...titled }])
    expect(user?.meta).not.toHaveProperty('titled')
    const [plain] = await posts.list(ada)
    expect(plain).not.toHaveProperty('meta')
  })

  test('attach, sync and detach ask them as well', async () => {
    const asked: unknown[] = []
    const extension: Extension = {
      write: ({ records }) => ({
        around: async (work) => {
          asked.push(...records.map(({ write: { operation, idText } }) => [operation, idText]))
          return work()
        },
        within: ({ id, write: { operation } }) => ({
          write: async () => void asked.push(['within', operation, id]),
          after: async () => void asked.push('after'),
        }),
      }),
    }
    const companies: Partial<Definition> = { extensions: [extension] }
    const blog = createBlog(database, { definitions: { companies } })
    for (const operation of ['attach', 'sync', 'detach'] as const) {
      await blog.companies[operation](ada, '1', 'users', { users: [1] })
      expect(asked.splice(0)).toEqual([[operation, '1'], ['within', operation, 1], 'after'])
    }
  })

  test('without any, a write is one statement', async () => {
    const { posts } = blogWith([])
    const post = await posts.store(ada, { title: 'one' })
    const { statements } = await counted(database, () =>
      posts.patch(ada, post.id, { title: 'two' }),
    )
    expect(statements).toHaveLength(1)
  })
})

function lists(): void {
  describe('what lists and records are asked', () => {
    /** `first=a`: titles that begin so; `titles=3`: as much of the title; `one`: pages of one. */
    const asking: Extension = {
      read: {
        asks: {
          names: ['titles', 'one', 'title'],
          of: 'both',
          change: async (_, query, said) => {
            if (said.some(({ column }) => column === 'one')) {
              return Object.assign({}, query, { asked: { one: true } })
            }
            const text = said.map((each) => `${each.column}=${each.text}`).join()
            const value = sql`substr(${identifier('t0', 'title')}, 1, 2)`
            const show = (resource: Resource, given: unknown) =>
              void (resource.attributes['short'] = `${String(given)} of ${text}`)
            return Object.assign({}, query, { columns: [], values: [{ value, show }] })
          },
          page: (access, query) => {
            if (query.asked?.['one'] !== true) return null
            return onePage(access, query)
          },
        },
        filter: {
          takes: (_, name) => name === 'first[a]' || name === 'title[is]',
          names: () => ['first[a]', 'title[is]'],
          conditions: async (_, said, { begins }) => [
            ...said.map(({ text }) => ({ title: { startsWith: text } })),
            ...(begins === undefined ? [] : [{ title: { startsWith: String(begins) } }]),
          ],
        },
      },
    }

    async function onePage(access: Access, query: IndexQuery): Promise<Page> {
      const reading = await openPage(access, query, { perPage: 1, offset: 0 })
      const data = reading === null ? [] : await readResources(reading)
      return { data, total: 0, page: 1, perPage: 1, about: () => ({ meta: {}, links: {} }) }
    }

    const ask = async () => {
      const { posts } = blogWith([asking], { settings: { strict: strictQueries } })
      for (const title of ['one', 'only', 'two']) await posts.store(ada, { title })
      const titles = async (parameters: string) => {
        const { data } = await posts.index(ada, list(`sort=title&${parameters}`))
        return data.map(({ attributes }) => attributes['short'] ?? attributes['title'])
      }
      return { posts, titles }
    }

    test('a feature filters by what no column is called, beside the columns', async () => {
      const { posts, titles } = await ask()
      expect(await titles('first[a]=on')).toEqual(['one', 'only'])
      expect(await titles('filter[first][a]=on&first[a]=onl')).toEqual(['only'])
      expect(await titles('filter[title][is]=t&filter[title]=two')).toEqual(['two'])
      const typed = await posts.list(ada, { asked: { begins: 't' } })
      expect(typed.map(({ attributes }) => attributes['title'])).toEqual(['two'])
      expect(await failure(titles('frist[a]=on'))).toMatchObject({
        status: 400,
        message: expect.stringContaining(`is not known: 'first[a]' is`),
      })
    })

    test('a feature takes names, with what stands in their brackets, and changes what is read', async () => {
      const { posts, titles } = await ask()
      const counts = await counted(database, () => titles('titles[x]=7&first[a]=t'))
      expect(counts.result).toEqual(['tw of titles[x]=7'])
      expect(counts.statements).toHaveLength(
        (await counted(database, () => titles(''))).statements.length,
      )
      expect(await titles('title=one')).toEqual(
        ['on', 'on', 'tw'].map((each) => `${each} of title=one`),
      )
      expect(await titles('filter[title]=one')).toEqual(['one'])
      expect(await titles('-title=one')).toEqual(['only', 'two'])
      const [{ id } = { id: '' }] = await posts.list(ada, list('filter[title]=two'))
      const query = parseShowQuery(new URLSearchParams('titles=1'))
      expect((await posts.show(ada, id, query)).attributes).toEqual({ short: 'tw of titles=1' })
      expect(await failure(titles('tiltes=1'))).toMatchObject({
        message: expect.stringContaining(`is not known: 'titles' is`),
      })
    })

    test('a feature reads the page itself', async () => {
      const { titles } = await ask()
      expect(await titles('one=&first[a]=on')).toEqual(['one'])
      expect(await titles('first[a]=on')).toEqual(['one', 'only'])
    })
  })
}
