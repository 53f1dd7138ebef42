import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { answerTest } from '../../../runtime/policy/condition-sql.js'
import { any, not, self, sql } from '../../../runtime/policy/condition.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { runsOn } from '../../support/runs.js'
import { createBlog } from './blog.js'
import { holds } from './condition-oracle.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import type { NoteModel, PostModel } from './models.js'
import { condition, ids, note } from './random-conditions.js'

/** A policy's answer that is neither true nor a condition denies. */
const admits = (answer: unknown) => answer === true || typeof answer === 'object'

describe.each(dialects)('conditions on %s', (dialect) => {
  let database: Database
  let answer: boolean | Condition<NoteModel> = true

  beforeAll(async () => {
    database = await openDatabase(dialect)
  })
  afterAll(() => database.close())

  test('the database and memory agree on every row', async () => {
    const blog = createBlog(database, { policies: { notes: { show: () => answer } } })
    const writer = createBlog(database)
    const entity = blog.notes.definition
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 1, maxLength: 6 }),
        fc.array(condition, { minLength: 1, maxLength: 12 }),
        async (rows, conditions) => {
          await execute(database, 'delete from notes')
          for (const row of rows) await writer.notes.store(null, row)
          const everything = await writer.notes.index(null, { perPage: 100 })
          for (const one of conditions) {
            answer = one
            const expected = everything.data.filter(
              ({ id, attributes }) =>
                admits(one) && holds(entity, one, { ...attributes, id }) === true,
            )
            const shown = await blog.notes.index({ id: 1 }, { perPage: 100 })
            expect([one, shown.data.map(({ id }) => id)]).toEqual([
              one,
              expected.map(({ id }) => id),
            ])
            expect(shown.total).toBe(expected.length)
          }
        },
      ),
      { numRuns: runsOn(dialect, 60) },
    )
  })

  test('a relation asks for any, none or every related record', async () => {
    await execute(database, 'delete from notes')
    const writer = createBlog(database)
    const ada = await writer.users.store(null, {
      name: 'Ada',
      email: 'a@x.org',
      password: 'long enough',
    })
    const bob = await writer.users.store(null, {
      name: 'Bob',
      email: 'b@x.org',
      password: 'long enough',
    })
    const first = await writer.posts.store({ id: Number(ada.id) }, { title: 'first' })
    const second = await writer.posts.store({ id: Number(bob.id) }, { title: 'second' })
    const third = await writer.posts.store({ id: Number(bob.id) }, { title: 'third' })
    await writer.comments.store({ id: 1 }, { body: 'good', post_id: first.id })
    await writer.comments.store({ id: 1 }, { body: 'bad', post_id: first.id })
    await writer.comments.store({ id: 1 }, { body: 'good', post_id: second.id })
    const tag = await writer.tags.store(null, { name: 'red' })
    await execute(database, 'insert into taggables values (?, ?, ?)', ['posts', first.id, tag.id])
    await execute(
      database,
      'insert into images (url, imageable_type, imageable_id, created_at, updated_at) values (?, ?, ?, ?, ?)',
      ['x', 'posts', second.id, '2026-01-01', '2026-01-01'],
    )
    let show: boolean | Condition<PostModel> = true
    const blog = createBlog(database, { policies: { posts: { show: () => show } } })
    const shown = async (tested: Condition<PostModel>) => {
      show = tested
      return (
        await blog.posts.index({ id: 1 }, { sort: [{ key: 'id', descending: false }] })
      ).data.map(({ attributes }) => attributes['title'])
    }
    expect(await shown({ comments: { some: { body: 'good' } } })).toEqual(['first', 'second'])
    expect(await shown({ comments: { none: { body: 'bad' } } })).toEqual(['second', 'third'])
    expect(await shown({ comments: { every: { body: 'good' } } })).toEqual(['second', 'third'])
    expect(await shown({ comments: { some: true } })).toEqual(['first', 'second'])
    expect(await shown({ owner: { is: { name: 'Bob' } } })).toEqual(['second', 'third'])
    expect(await shown({ owner: { isNot: { name: 'Bob' } } })).toEqual(['first'])
    expect(await shown({ tags: { some: { name: 'red' } } })).toEqual(['first'])
    const pivots = [{ taggable_type: 'posts' }, { taggable_id: first.id }, { tag_id: tag.id }]
    for (const pivot of pivots) {
      expect(await shown({ tags: { some: { pivot } } }), JSON.stringify(pivot)).toEqual(['first'])
    }
    expect(await shown({ tags: { some: { pivot: { taggable_type: 'users' } } } })).toEqual([])
    expect(
      await shown({ tags: { some: { pivot: { kind: 1 } as never } } }).catch(String),
    ).toContain("names 'kind', no column of this pivot")
    expect(await shown({ image: { isNot: true } })).toEqual(['first', 'third'])
    expect(await shown({ image: { is: { url: 'x' } } })).toEqual(['second'])
    expect(await shown(not({ comments: { some: { user: { is: { name: 'Ada' } } } } }))).toEqual([
      'third',
    ])
    expect(await shown({ owner: { is: { posts: { some: { id: Number(third.id) } } } } })).toEqual([
      'second',
      'third',
    ])
    expect(await shown(sql`length(${self('title')}) > ${5}`)).toEqual(['second'])
    expect(await shown({ comments: { some: sql`${self('body')} = ${'bad'}` } })).toEqual(['first'])
  })

  test('a pivot is part of the condition', async () => {
    const writer = createBlog(database)
    const user = await writer.users.store(null, {
      name: 'Cy',
      email: 'c@x.org',
      password: 'long enough',
    })
    const [lead, member] = [
      await writer.companies.store(null, { name: 'lead' }),
      await writer.companies.store(null, { name: 'member' }),
    ]
    const insert = `insert into company_user values (?, ?, ${dialect === 'sqlite' ? '? = 1' : 'cast(? as boolean)'}, null)`
    await execute(database, insert, [Number(lead.id), Number(user.id), 1])
    await execute(database, insert, [Number(member.id), Number(user.id), 0])
    const blog = createBlog(database, {
      policies: {
        companies: {
          update: (who) => ({ users: { some: { id: who?.id, pivot: { is_admin: true } } } }),
        },
      },
    })
    const asked = { id: Number(user.id) }
    const { result, statements } = await counted(database, () => blog.companies.index(asked))
    expect(statements.length).toBeLessThanOrEqual(2)
    expect(
      result.data.map(({ attributes, meta }) => [attributes['name'], meta?.authorizedToUpdate]),
    ).toEqual([
      ['member', false],
      ['lead', true],
    ])
    expect(
      (await blog.companies.patch(asked, lead.id, { name: 'led' })).meta?.authorizedToUpdate,
    ).toBe(true)
    await expect(blog.companies.patch(asked, member.id, { name: 'x' })).rejects.toMatchObject({
      status: 403,
    })
  })

  test('two users share a statement and never a filter', async () => {
    const blog = createBlog(database, {
      policies: { posts: { show: (user) => ({ owner_id: user?.id }) } },
    })
    const ask = async (id: number) => {
      const { result, statements } = await counted(database, () => blog.posts.index({ id }))
      return {
        owners: new Set(result.data.map(({ attributes }) => attributes['owner_id'])),
        sql: statements.map(({ sql: text }) => text),
      }
    }
    const [ada, bob] = [await ask(1), await ask(2)]
    expect([...ada.owners, ...bob.owners]).toEqual(['1', '2'])
    expect(ada.sql).toEqual(bob.sql)
    expect(ada.sql.join()).not.toMatch(/= ?\d/)
  })

  test('no value a policy gives is ever in a statement', async () => {
    const secret = 'secret-4711'
    const blog = createBlog(database, {
      policies: {
        notes: {
          show: () =>
            any<NoteModel>(
              { text: secret, rank: 4711, price: '47.11', day: '4711-01-01' },
              { text: { in: [secret], contains: secret, startsWith: secret } },
              { parent: { is: { text: secret } } },
              sql`${self('text')} = ${secret}`,
            ),
          update: () => ({ children: { some: { text: secret } } }),
        },
      },
    })
    const { statements } = await counted(database, async () => {
      await blog.notes.index(
        { id: 1 },
        { search: secret, match: [{ column: 'text', negated: false, text: secret }] },
      )
      await blog.notes.patch({ id: 1 }, ids[0] ?? '', { text: secret }).catch(() => undefined)
    })
    expect(statements.length).toBeGreaterThan(1)
    for (const statement of statements) expect(statement.sql).not.toContain('4711')
  })
})

test('a condition that names no column is a mistake that shows', () => {
  const database = { dialect: 'sqlite' } as Database // never asked
  const entity = createBlog(database).posts.definition
  expect(() => answerTest(entity, { nonsense: 1 })).toThrow("names 'nonsense'")
  expect(() => answerTest(entity, { title: { like: 'x' } })).toThrow("with 'like'")
  expect(() => answerTest(entity, { comments: { any: {} } })).toThrow("with 'any'")
  expect(() => answerTest(entity, { constructor: 1 })).toThrow("names 'constructor'")
  expect(answerTest(entity, 1)).toBe(false)
  expect(answerTest(entity, undefined)).toBe(false)
  expect(answerTest(entity, any())).toBe(false)
  expect(answerTest(entity, {})).toBe(null)
  expect(answerTest(entity, not(undefined as never))).toBe(null)
  expect(answerTest(entity, not({} as never))).toBe(null)
  expect(answerTest(entity, not(Promise.resolve(false) as never))).toBe(null)
})
