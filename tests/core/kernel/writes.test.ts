import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { belongsTo, related } from '../../../runtime/features/relations/relations.js'
import { multiSelect } from '../../../runtime/input/choice-rules.js'
import { decimal } from '../../../runtime/input/decimal-rule.js'
import { reference } from '../../../runtime/input/id-rules.js'
import { password, text } from '../../../runtime/input/rules.js'
import { defineRepository, type Repository } from '../../../runtime/operations/repository.js'
import { parseIndexQuery } from '../../../runtime/query/parse-query.js'
import { type Blog, createBlog, defaultSettings, yes, storing } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import { failure } from './failure.js'

interface Account {
  id: number
  name: string
  nick: string | null
  level: string
  secret: string
  quiet: string | null
  locked: string | null
  user_id: number | null
}

interface AccountModel {
  row: Account
  relations: Record<never, never>
  computed: Record<never, never>
}

const query = (parameters: string) => parseIndexQuery(new URLSearchParams(parameters))

describe.each(dialects)('writes on %s', (dialect) => {
  let database: Database
  let blog: Blog
  let accounts: Repository<Account>

  beforeAll(async () => {
    database = await openDatabase(dialect)
    blog = createBlog(database)
    const id = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'SERIAL PRIMARY KEY'
    await execute(
      database,
      `create table accounts (id ${id}, name TEXT NOT NULL, nick TEXT, level TEXT NOT NULL, secret TEXT NOT NULL,
        quiet TEXT, locked TEXT, user_id INTEGER REFERENCES users (id))`,
    )
    accounts = defineRepository<AccountModel>({
      database,
      settings: defaultSettings,
      key: 'accounts',
      name: 'Account',
      table: 'accounts',
      policy: {
        show: yes,
        store: yes,
        update: yes,
        delete: yes,
        canUpdate: { locked: () => false },
      },
      extensions: [storing((plain) => `hashed:${plain}`)],
      columns: {
        id: 'integer',
        name: 'text',
        nick: 'text?',
        level: 'text',
        secret: 'password',
        quiet: 'text?',
        locked: 'text?',
        user_id: 'integer?',
      },
      attributes: ['name', 'nick', 'level', 'locked', 'user_id'],
      rules: {
        name: text(),
        nick: text().nullish(),
        level: text().optional(),
        secret: password(),
        quiet: text().nullish(),
        locked: text().nullish(),
        user_id: reference('integer').nullish(),
      },
      defaults: { level: 'low' },
      relations: related({
        user: belongsTo(() => blog.users, { foreignKey: 'user_id', filledBy: 'user' }),
      }),
    })
  })
  afterAll(() => database.close())

  test('PUT replaces the record, but for what no response shows and what is not the body’s', async () => {
    const ann = await blog.users.store(null, {
      name: 'Ann',
      email: 'ann@x.org',
      password: 'long enough',
    })
    const ada = { id: Number(ann.id) }
    const whole = {
      name: 'Ada',
      nick: 'ad',
      level: 'high',
      secret: 'long enough',
      quiet: 'q',
      locked: 'l',
    }
    const { id } = await accounts.store(ada, whole)
    const row = () => accounts.find(ada, id)
    const before = await row()

    const shown = await accounts.show(ada, id)
    await accounts.update(ada, id, shown.attributes)
    expect(await row()).toEqual(before)

    await accounts.patch(ada, id, { nick: 'other' })
    expect(await row()).toEqual({ ...before, nick: 'other' })

    await accounts.update(ada, id, { name: 'Eve' })
    expect(await row()).toEqual({ ...before, name: 'Eve', nick: null, level: 'low' })

    const without = await failure(accounts.update(ada, id, { nick: 'x' }))
    expect([without.status, without.errors]).toEqual([
      422,
      { name: ['The name field is required.'] },
    ])
    const short = await failure(accounts.update(ada, id, { name: 'x', secret: 'short' }))
    expect(Object.keys(short.errors ?? {})).toEqual(['secret'])
    await accounts.update(ada, id, { name: 'Eve', secret: 'another one', quiet: null })
    expect(await row()).toMatchObject({ secret: 'hashed:another one', quiet: null })
  })

  test('PUT empties foreign keys, JSON and every other nullable kind', async () => {
    const { id: post_id } = await blog.posts.store({ id: 1 }, { title: 'p' })
    const full = {
      text: 'x',
      price: '1.50',
      ratio: 0.5,
      day: '2026-01-01',
      data: { a: 1 },
      labels: ['red'],
      rank: 1,
      is_open: true,
      due_at: '2026-01-01T00:00:00.000Z',
      post_id,
    }
    const { id } = await blog.notes.store(null, full)
    const { attributes } = await blog.notes.update(null, id, { text: 'y' })
    for (const name of Object.keys(full))
      expect([name, attributes[name]]).toEqual([name, name === 'text' ? 'y' : null])
    expect(attributes['created_at']).toEqual(expect.any(String))
  })

  test('a record that its own write hid has false flags', async () => {
    const hiding = createBlog(database, {
      policies: { posts: { show: () => ({ title: { not: 'hidden' } }) } },
    })
    const related = createBlog(database, {
      policies: { posts: { show: () => ({ comments: { some: { body: 'none has it' } } }) } },
    })
    for (const one of [hiding, related]) {
      const stored = await one.posts.store({ id: 1 }, { title: 'hidden' })
      expect(stored.meta).toEqual({
        authorizedToShow: false,
        authorizedToStore: true,
        authorizedToUpdate: false,
        authorizedToDelete: false,
      })
    }
    const { id } = await hiding.posts.store({ id: 1 }, { title: 'seen' })
    const patched = await hiding.posts.patch({ id: 1 }, id, { title: 'hidden' })
    expect(patched.meta).toMatchObject({ authorizedToUpdate: false, authorizedToDelete: false })
  })

  test('a JSON number that may have lost digits is no decimal', async () => {
    const wide = decimal(30, 12)
    const asText = 'must be sent as text: a JSON number keeps 15 digits'
    /* oxlint-disable no-loss-of-precision -- that is what is refused */
    for (const value of [
      12345678901234567.89, 0.1234567890123456789, 100000000000000000000, -1234567890123456,
      123456789.0123456789,
    ]) {
      expect([value, wide.safeParse(value).error?.issues[0]?.message]).toEqual([value, asText])
      const { message } = wide.safeParse(String(value)).error?.issues[0] ?? {}
      expect(message).not.toBe(asText)
    }
    for (const value of [0, -7.5, 123456789012345, 0.000123456789, 99999999.99, 1e14]) {
      expect(wide.safeParse(value).success).toBe(true)
    }
    const error = await failure(blog.notes.store(null, { text: 'x', price: 1234567.123456789012 }))
    /* oxlint-enable no-loss-of-precision */
    expect(error.errors).toEqual({
      price: ['The price must be sent as text: a JSON number keeps 15 digits.'],
    })
  })

  test.each(['0000-01-01', '0000-12-31', '0001-01-01T00:00:00+05:00', '9999-12-31T23:00:00-05:00'])(
    'the time %s, which not both databases can store, is 422',
    async (value) => {
      const body = value.length === 10 ? { day: value, due_at: value } : { due_at: value }
      const error = await failure(blog.notes.store(null, { text: 'x', ...body }))
      expect([error.status, Object.keys(error.errors ?? {})]).toEqual([422, Object.keys(body)])
      for (const name of Object.keys(body)) {
        for (const given of [value, `${value},2026-01-01`, `2026-01-01,${value}`]) {
          const answer = await failure(
            blog.notes.index(null, query(`${name}=${encodeURIComponent(given)}`)),
          )
          expect([answer.status, Object.keys(answer.errors ?? {})]).toEqual([400, [name]])
        }
      }
    },
  )

  test('JSON is stored as it was sent, or is 422', async () => {
    const stored = async (text: string) => {
      const data: unknown = JSON.parse(text)
      return blog.notes.store(null, { text: 'x', data })
    }
    for (const text of ['{"x":1e400}', '12345678901234567890', '[[-1e400,"a"]]', '1e20']) {
      expect(await failure(stored(text)), text).toMatchObject({
        status: 422,
        errors: {
          data: ['The data must not contain numbers that lose digits: send them as text.'],
        },
      })
    }
    expect((await failure(stored('[{"__proto__":{"a":1}}]'))).errors).toEqual({
      data: ['The data must not contain the key __proto__.'],
    })
    for (const text of ['{"x":-9007199254740991}', '0.1', '[1.5e-9,"12345678901234567890"]']) {
      expect((await stored(text)).attributes['data'], text).toEqual(JSON.parse(text))
    }
  })

  test('the first and the last day both databases hold are stored and found', async () => {
    for (const day of ['0001-01-01', '9999-12-31']) {
      const { id } = await blog.notes.store(null, { text: 'edge', day, due_at: `${day}T12:00:00Z` })
      for (const name of ['day', 'due_at']) {
        const found = await blog.notes.index(null, query(`${name}=${day}`))
        expect(found.data.map((note) => note.id)).toEqual([id])
      }
    }
  })

  test('an error says each thing once, and null is not absent', async () => {
    const error = await failure(
      blog.notes.store(null, { text: null, labels: ['blue', 'blue', 'blue'] }),
    )
    expect(error.errors).toEqual({
      text: ['The text must not be null.'],
      labels: ['The labels must be one of: red, green.'],
    })
    const twice = await failure(blog.notes.store(null, { labels: ['red', 'red'] }))
    expect(twice.errors).toEqual({
      text: ['The text field is required.'],
      labels: ['The labels must not contain the same value twice.'],
    })
    const comment = await failure(blog.comments.store({ id: 1 }, { body: null, post_id: null }))
    expect(comment.errors).toEqual({
      body: ['The body must not be null.'],
      post_id: ['The post id must not be null.'],
    })
    expect(multiSelect(['a', 'b']).safeParse(['a', 'b']).success).toBe(true)
  })

  test('a filter that matches nothing is an empty page, without a token too', async () => {
    const ask = (parameters: string, one = blog) => one.posts.index(null, query(parameters))
    for (const parameters of ['owner_id=0', 'search=nowhere', 'title=nothing&search=x']) {
      expect((await ask(parameters)).data).toEqual([])
    }
    // Numbers and ids are searched whole: no text can be one.
    const { definition } = blog.posts
    const relations = related({})
    const searching = (searchable: readonly string[], policy = definition.policy) =>
      createBlog(database, { definitions: { posts: { policy, relations, searchable } } }).posts
    const total = (await ask('')).total
    expect(total).toBeGreaterThan(0)
    expect(await searching(['owner_id']).index(null, query('search=word'))).toMatchObject({
      data: [],
      total: 0,
    })
    // Nothing to search: the search does nothing.
    expect((await searching([]).index(null, query('search=word'))).total).toBe(total)
    const blind = { ...definition.policy, canSee: { title: () => false } }
    expect((await searching(['title'], blind).index(null, query('search=word'))).total).toBe(total)
    const closed = { ...definition.policy, show: () => false }
    for (const parameters of ['', 'search=word']) {
      const { statements } = await counted(database, async () => {
        expect((await failure(searching([], closed).index(null, query(parameters)))).status).toBe(
          401,
        )
      })
      expect(statements).toEqual([])
    }
  })
})
