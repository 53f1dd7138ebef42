import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defineConfig } from '../../../runtime/config/server-config.js'
import type { Database } from '../../../runtime/database/types.js'
import { conflict } from '../../../runtime/errors.js'
import { pivotRoutes } from '../../../runtime/features/pivots/routes.js'
import { relatedRoutes } from '../../../runtime/features/relations/routes.js'
import { joinTransactions } from '../../../runtime/features/transactions/join.js'
import { inOneTransaction } from '../../../runtime/features/transactions/one-transaction.js'
import { onError } from '../../../runtime/http/answers.js'
import type { ServerEnv } from '../../../runtime/http/context.js'
import { writeOptions } from '../../../runtime/http/exchange.js'
import { readBody, readShowQuery } from '../../../runtime/http/request.js'
import { created, noContent, respond } from '../../../runtime/http/respond.js'
import { understanding } from '../../../runtime/http/understanding.js'
import type { Extension, OwnOperation } from '../../../runtime/model/entity.js'
import { sql } from '../../../runtime/sql/sql.js'
import { createBlog } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import { failure } from './failure.js'

const ada = { id: 1 }

/** `If-Title: old` bounds which posts are changed; their length is told in a header. */
const ifTitle: Extension = {
  says: {
    parts: [
      {
        in: 'header',
        name: 'If-Title',
        of: ['update', 'delete', 'attach'],
        read: (text) => (text === '' ? { problem: 'must not be empty' } : { value: text }),
      },
      {
        in: 'preference',
        name: 'length',
        of: ['store'],
        read: (text) => ({ value: Number(text) }),
      },
      { in: 'query', name: 'loud', of: ['store', 'delete'], read: () => ({ value: true }) },
    ],
    headers: ({ attributes }) => ({ 'X-Title': String(attributes['title']) }),
  },
  write: ({ access: { exchange, parameters }, records }) => ({
    requires: ({ write: { operation } }) => {
      const title = parameters.get('If-Title')
      return {
        condition: title === undefined || { title },
        refusal: (row) => conflict(`${operation}: it is ${String(row?.['title'])}.`),
      }
    },
    values: (_, { title }) =>
      parameters.get('loud') === true ? { title: String(title).toUpperCase() } : {},
    around: async (write) => {
      const done = await write()
      const operations = records.map((record) => record.write.operation).join()
      exchange?.setHeader('X-Did', `${operations} ${[...parameters.keys()].join()}`)
      return done
    },
  }),
}

describe.each(dialects)('what extensions do about writes on %s', (dialect) => {
  let database: Database
  beforeAll(async () => {
    const opened = await openDatabase(dialect)
    // Both are what `app/database.ts` opens.
    joinTransactions(opened as Parameters<typeof joinTransactions>[0], { transaction_ms: 5000 })
    database = opened
    const blog = createBlog(database)
    await blog.users.store(null, { name: 'Ada', email: 'a@x.org', password: 'long enough' })
  })
  beforeEach(() => execute(database, 'delete from posts'))
  afterAll(() => database.close())

  const blogWith = (posts: readonly Extension[], more: Parameters<typeof createBlog>[1] = {}) =>
    createBlog(database, { ...more, definitions: { posts: { extensions: posts } } })

  /** As controllers of a project with such a feature. */
  function serve(blog: ReturnType<typeof createBlog>) {
    const { posts, users } = blog
    const app = new Hono<ServerEnv<unknown>>()
    const config = defineConfig({ strict_queries: true } as never)
    app.use(async (c, next) => {
      c.set('user', ada)
      c.set('server', { config, log: console } as never)
      await next()
    })
    const names = [
      { in: 'header', name: 'If-Title' },
      { in: 'preference', name: 'length' },
      { in: 'query', name: 'loud' },
    ] as const
    app.use('*', understanding(names))
    const controller = new Hono<ServerEnv<unknown>>()
      .get('/:id', async (c) =>
        respond(c, await posts.show(ada, c.req.param('id'), readShowQuery(c))),
      )
      .post('/', async (c) =>
        created(c, await posts.store(ada, await readBody(c), writeOptions(c))),
      )
      .patch('/:id', async (c) =>
        respond(c, await posts.patch(ada, c.req.param('id'), await readBody(c), writeOptions(c))),
      )
      .put('/:id', async (c) =>
        respond(c, await posts.update(ada, c.req.param('id'), await readBody(c), writeOptions(c))),
      )
      .delete('/:id', async (c) => {
        await posts.delete(ada, c.req.param('id'), writeOptions(c))
        return noContent(c)
      })
      .route('/', pivotRoutes(posts))
      .route('/', relatedRoutes(posts))
    app.route('/posts', controller)
    app.route('/users', new Hono<ServerEnv<unknown>>().route('/', relatedRoutes(users)))
    app.onError(onError)
    return async (method: string, path: string, body?: object, headers: object = {}) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const type = { 'Content-Type': 'application/json', ...headers }
      const answer = await app.request(path, { method, headers: type, ...sent })
      const text = await answer.text()
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      }
    }
  }

  test('headers, preferences and parameters of a write are read by the one that knows them', async () => {
    const send = serve(blogWith([ifTitle]))
    const loud = { Prefer: 'return=minimal, Length=3;x=y' }
    const stored = await send('POST', '/posts?loud=', { title: 'one' }, loud)
    expect(stored).toMatchObject({
      status: 201,
      headers: { 'x-did': 'store length,loud', 'x-title': 'ONE' },
      body: { data: { attributes: { title: 'ONE' } } },
    })
    const path = `/posts/${(stored.body['data'] as { id: string }).id}`
    expect((await send('GET', path)).headers).toMatchObject({ 'x-title': 'ONE' })
    const put = await send('PUT', path, { title: 'two' }, { 'If-Title': 'ONE' })
    expect(put).toMatchObject({ status: 200, headers: { 'x-did': 'update If-Title' } })
    for (const below of ['/posts/', '/users/1/posts/']) {
      const at = path.replace('/posts/', below)
      const stale = await send('PATCH', at, { title: 'three' }, { 'If-Title': 'ONE' })
      expect(stale).toMatchObject({ status: 409, body: { message: 'update: it is two.' } })
      const gone = await send('DELETE', at, undefined, { 'If-Title': 'ONE' })
      expect(gone).toMatchObject({ status: 409, body: { message: 'delete: it is two.' } })
    }
    const deleted = await send('DELETE', `${path}?loud`, undefined, { 'If-Title': 'two' })
    expect(deleted).toMatchObject({ status: 204, headers: { 'x-did': 'delete If-Title,loud' } })
  })

  test('what means nothing to a write is 400, and nothing is written', async () => {
    const send = serve(blogWith([ifTitle]))
    const { body } = await send('POST', '/posts', { title: 'one' })
    const path = `/posts/${(body['data'] as { id: string }).id}`
    const message = async (...asked: Parameters<typeof send>) => {
      const answer = await send(...asked)
      return [answer.status, answer.body['message']]
    }
    const none = { title: 'none' }
    const why = 'it means nothing to this write. Nothing was done.'
    expect(await message('POST', '/posts', none, { 'If-Title': 'x' })).toEqual([
      400,
      `The If-Title header cannot be honoured: ${why}`,
    ])
    expect(await message('PATCH', path, none, { Prefer: 'length=3' })).toEqual([
      400,
      `The length of the Prefer header cannot be honoured: ${why}`,
    ])
    expect(await message('PATCH', `${path}?loud=1`, none)).toEqual([
      400,
      'The loud parameter is not known: this write takes none of that name.',
    ])
    expect(await message('POST', '/posts?loud=1&loud=2', none)).toEqual([
      400,
      'The loud parameter is given more than once.',
    ])
    expect(await message('DELETE', path, undefined, { 'If-Title': '' })).toEqual([
      400,
      'The If-Title header must not be empty.',
    ])
    expect(await message('POST', `${path}/sync/tags`, { tags: [] }, { 'If-Title': 'x' })).toEqual([
      400,
      `The If-Title header cannot be honoured: ${why}`,
    ])
    expect(await message('PATCH', path, none, { 'If-Match': '"1"' })).toEqual([
      400,
      'The If-Match header cannot be honoured: no version of a record is kept here. Nothing was done.',
    ])
    expect(await message('POST', `${path}/comments`, { body: 'x' }, { 'If-Title': 'x' })).toEqual([
      400,
      `The If-Title header cannot be honoured: ${why}`,
    ])
    expect((await send('GET', path)).body).toMatchObject({ data: { attributes: { title: 'one' } } })
  })

  test('who may not write is told so, whatever an extension admits; a hidden record does not exist', async () => {
    const policies = {
      posts: { show: () => ({ title: { not: 'hidden' } }), update: () => ({ title: 'open' }) },
    }
    const { posts } = blogWith([ifTitle], { policies })
    const open = blogWith([]).posts
    const ids: Record<string, string> = {}
    for (const title of ['open', 'closed', 'hidden']) {
      ids[title] = (await open.store(ada, { title })).id
    }
    const requires = () => ({ condition: { title: 'other' }, refusal: () => null })
    const more: Extension = { write: () => ({ requires }) }
    const status = async (title: string) => {
      const options = { extensions: [more] }
      return (await failure(posts.patch(ada, ids[title] ?? '', { title: 'x' }, options))).status
    }
    expect([await status('open'), await status('closed'), await status('hidden')]).toEqual([
      409, 403, 404,
    ])
  })

  test('every write takes extensions of its own, and its hooks their context', async () => {
    const asked: unknown[] = []
    const own: Extension = {
      write: ({ records }) => ({
        around: async (write) => {
          asked.push(...records.map((record) => record.write.operation))
          return write()
        },
      }),
      context: ({ request }) => ({ by: request.user }),
    }
    const beforeUpdate = (context: object) => void asked.push('by' in context && context.by)
    const { posts } = blogWith([], { hooks: { posts: { beforeUpdate } } })
    const options = { extensions: [own] }
    const { id } = await posts.store(ada, { title: 'one' }, options)
    await posts.update(ada, id, { title: 'two' }, options)
    await posts.delete(ada, id, options)
    expect(asked).toEqual(['store', 'update', ada, 'delete'])
  })

  test('what belongs in the transaction has the record as it was, read once', async () => {
    const seen: unknown[] = []
    const part = (): Extension => ({
      write: () => ({
        within: () => ({
          needsRow: true,
          needsBefore: true,
          write: async (_, row, before) => void seen.push([before?.['title'], row['title']]),
        }),
      }),
    })
    const { posts } = blogWith([part(), part()])
    const { id } = await posts.store(ada, { title: 'one' })
    const { statements } = await counted(database, () => posts.patch(ada, id, { title: 'two' }))
    const own = statements.filter((each) => /^(select|update)/i.test(each.sql))
    expect(own).toHaveLength(2)
    await posts.delete(ada, id)
    const pairs = [
      [undefined, 'one'],
      ['one', 'two'],
      [undefined, 'two'],
    ]
    expect(seen).toEqual(pairs.flatMap((each) => [each, each]))
  })

  test('meta has the flags of one, as the policy answers, in as many statements', async () => {
    const operation = (name: string, answer: unknown): OwnOperation => ({
      name: 'update',
      method: 'POST',
      path: name,
      status: 200,
      finding: (access) => access,
      flag: { name, answer: () => answer },
    })
    const operations = [operation('isOne', { title: 'one' }), operation('isNone', false)]
    const { posts } = blogWith([{ operations }])
    const { statements, result } = await counted(database, () => posts.store(ada, { title: 'one' }))
    expect(statements).toHaveLength(1)
    const shown = { authorizedToShow: true, isOne: true, isNone: false }
    expect(result.meta).toMatchObject(shown)
    await posts.store(ada, { title: 'two' })
    const listed = (await posts.index(ada)).data.map(({ meta }) => meta as unknown)
    expect(listed).toMatchObject([{ isOne: false, isNone: false }, shown])
  })

  test('what stands in place of DELETE sets what an UPDATE does', async () => {
    const { posts } = blogWith([
      {
        write: () => ({
          removal: () => ({ title: 'gone' }),
          values: ({ write: { operation } }) =>
            operation === 'delete' ? { description: sql`${'counted'}` } : {},
        }),
      },
    ])
    const { id } = await posts.store(ada, { title: 'one' })
    await posts.delete(ada, id)
    expect(await posts.find(ada, id)).toMatchObject({ title: 'gone', description: 'counted' })
  })

  test('several writes are one transaction inside what one puts around them', async () => {
    const both: string[] = []
    const plain = blogWith([], {
      hooks: { posts: { afterStore: (_, { title }) => void both.push(title) } },
    }).posts
    const together: Extension = {
      write: ({ records }) => ({
        around: (write) =>
          inOneTransaction(database, 'a test', async (connection) => {
            await plain.store(ada, { title: 'first' })
            const done = await write()
            await connection.query({ sql: 'select 1', access: 'read' }, [])
            if (records[0]?.write.body['title'] === 'refused') throw conflict('No.')
            expect(both).toEqual([])
            return done
          }),
      }),
    }
    const { posts } = blogWith([together])
    expect(await failure(posts.store(ada, { title: 'refused' }))).toMatchObject({ status: 409 })
    expect((await posts.index(ada)).total).toBe(0)
    expect(both).toEqual([])
    await posts.store(ada, { title: 'second' })
    expect((await posts.index(ada)).total).toBe(2)
    expect(both).toEqual(['first'])
  })
})
