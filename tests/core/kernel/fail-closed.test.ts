/** A part that is missing in a condition opens nothing. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { answerTest } from '../../../runtime/policy/condition-sql.js'
import { all, any, not, self, sql } from '../../../runtime/policy/condition.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { runsOn } from '../../support/runs.js'
import { createBlog } from './blog.js'
import { dialects, execute, openDatabase } from './databases.js'
import { failure } from './failure.js'
import type { NoteModel } from './models.js'

type Notes = boolean | Condition<NoteModel>

/** A condition with places for something that may not be there; `absent` gives what is put there. */
type Sketch = (absent: Absent) => unknown

interface Absent {
  readonly rank: unknown
  readonly condition: unknown
  readonly relation: unknown
}

const nothing: Absent = { rank: undefined, condition: undefined, relation: undefined }

/** A user whose own value is NULL. */
const empty: Absent = { rank: null, condition: null, relation: undefined }

const rank = fc.constantFrom(0, 1, 2)
const rankOrAbsent: fc.Arbitrary<Sketch> = fc.oneof(
  rank.map(
    (value): Sketch =>
      () =>
        value,
  ),
  fc.constant<Sketch>((absent) => absent.rank),
)

const test_: fc.Arbitrary<Sketch> = fc.oneof(
  rankOrAbsent,
  fc
    .tuple(fc.constantFrom('equals', 'not', 'lt', 'lte', 'gt', 'gte'), rankOrAbsent)
    .map(([operator, value]): Sketch => (absent) => ({ [operator]: value(absent) })),
  fc
    .tuple(fc.constantFrom('in', 'notIn'), fc.array(rankOrAbsent, { minLength: 1, maxLength: 3 }))
    .map(([operator, list]): Sketch => (absent) => ({
      [operator]: list.map((value) => value(absent)),
    })),
)

const sketch: fc.Arbitrary<Sketch> = fc.letrec<{ sketch: Sketch; inner: Sketch }>((tie) => ({
  inner: fc.oneof(
    { weight: 5, arbitrary: tie('sketch') },
    { weight: 1, arbitrary: fc.constant<Sketch>((absent) => absent.condition) },
  ),
  sketch: fc.oneof(
    { depthSize: 'small' },
    test_.map((one): Sketch => (absent) => ({ rank: one(absent) })),
    fc.constant<Sketch>((absent) => ({ children: absent.relation })),
    fc.constant<Sketch>((absent) => sql`${self('rank')} >= ${absent.rank as number}`),
    fc
      .tuple(fc.constantFrom('some', 'none', 'every'), tie('inner'))
      .map(([has, inner]): Sketch => (absent) => ({ children: { [has]: inner(absent) } })),
    fc
      .tuple(fc.constantFrom('is', 'isNot'), tie('inner'))
      .map(([has, inner]): Sketch => (absent) => ({ parent: { [has]: inner(absent) } })),
    tie('inner').map(
      (inner): Sketch =>
        (absent) =>
          not<NoteModel>(inner(absent) as Notes),
    ),
    fc
      .tuple(fc.boolean(), fc.array(tie('inner'), { minLength: 1, maxLength: 3 }))
      .map(([isAny, parts]): Sketch => (absent) => {
        const conditions = parts.map((part) => part(absent) as Notes)
        return isAny ? any<NoteModel>(...conditions) : all<NoteModel>(...conditions)
      }),
  ),
})).sketch

const present: readonly Absent[] = [
  { rank: 0, condition: true, relation: { some: true } },
  { rank: 1, condition: false, relation: { none: true } },
  { rank: 2, condition: { rank: 1 }, relation: { every: { rank: 0 } } },
]

describe.each(dialects)('undefined and null in a condition on %s', (dialect) => {
  let database: Database
  let answer: unknown = true

  beforeAll(async () => {
    database = await openDatabase(dialect)
  })
  afterAll(() => database.close())

  const asking = () =>
    createBlog(database, { policies: { notes: { show: () => answer as Notes } } })

  test('admits no row that some value in its place would not admit', async () => {
    const writer = createBlog(database)
    const blog = asking()
    const admitted = async (condition: unknown) => {
      answer = condition
      return (await blog.notes.index({ id: 1 }, { perPage: 100 })).data.map(({ id }) => id)
    }
    const rows = fc.array(fc.tuple(fc.option(rank), fc.option(fc.nat())), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(sketch, { minLength: 8, maxLength: 16 }),
        async (given, sketches) => {
          await execute(database, 'delete from notes')
          const made: string[] = []
          for (const [value, parent] of given) {
            const parent_id =
              parent === null ? null : (made[parent % Math.max(made.length, 1)] ?? null)
            made.push((await writer.notes.store(null, { text: 'x', rank: value, parent_id })).id)
          }
          for (const one of sketches) {
            const open = await admitted(one(nothing))
            expect(await admitted(one(empty))).toEqual(open)
            for (const absent of present) {
              const allowed = await admitted(one(absent))
              expect(open.filter((id) => !allowed.includes(id))).toEqual([])
            }
          }
        },
      ),
      { numRuns: runsOn(dialect, 40) },
    )
  })

  test('matches nothing, wherever it stands', async () => {
    const writer = createBlog(database)
    const root = await writer.notes.store(null, { text: 'root', rank: 1 })
    await writer.notes.store(null, { text: 'child', rank: 1, parent_id: root.id })
    const blog = asking()
    const conditions: unknown[] = [
      undefined,
      {},
      { rank: undefined },
      { rank: null },
      { due_at: null },
      { due_at: { equals: null } },
      { due_at: { not: null } },
      { due_at: { in: [null] } },
      { due_at: { notIn: [null] } },
      { due_at: { isNull: undefined } },
      { due_at: { isNull: null } },
      { parent: { is: null } },
      { parent: { isNot: null } },
      { children: { none: null } },
      { children: { every: { due_at: null } } },
      sql`${self('due_at')} is not distinct from ${null as never}`,
      { rank: { not: undefined } },
      { rank: { not: Number.NaN } },
      { rank: { notIn: undefined } },
      { rank: { notIn: [undefined] } },
      { children: undefined },
      ...['some', 'none', 'every'].flatMap((has) => [
        { children: { [has]: undefined } },
        { children: { [has]: { rank: undefined } } },
        { children: { [has]: not<NoteModel>({ rank: undefined }) } },
        { children: { [has]: { rank: { in: [undefined] } } } },
        { children: { [has]: { children: undefined } } },
        { children: { [has]: { children: { none: { rank: undefined } } } } },
        { children: { [has]: all<NoteModel>({ rank: undefined }, { text: 'child' }) } },
        { tags: { [has]: { pivot: undefined } } },
      ]),
      ...['is', 'isNot'].flatMap((has) => [
        { parent: { [has]: undefined } },
        { parent: { [has]: { rank: undefined } } },
        { parent: { [has]: { text: { contains: undefined } } } },
      ]),
      sql`${self('rank')} is distinct from ${undefined}`,
    ]
    for (const condition of conditions) {
      for (const tested of [
        condition,
        all(condition as never),
        not(condition as never),
        not(not(condition as never)),
      ]) {
        answer = tested
        const page = await blog.notes.index({ id: 1 })
        expect([tested, page.total]).toEqual([tested, 0])
      }
    }
  })

  test('asks for no body where no record could be stored', async () => {
    const blog = createBlog(database, {
      policies: { notes: { show: () => true, store: () => answer as Notes } },
    })
    const status = (condition: unknown) => {
      answer = condition
      return blog.notes.store({ id: 1 }, {}).catch(({ status }: { status: number }) => status)
    }
    const rank = (known: number) => ({ rank: { in: [known, undefined] } }) as never
    const either = any<NoteModel>(rank(1), rank(2))
    expect(await status(either)).toBe(422)
    expect(await status(not<NoteModel>(either))).toBe(403)
    expect(await status(not<NoteModel>(all<NoteModel>(rank(1), { text: 'x' })))).toBe(422)
  })

  test('leaves what does not need it', async () => {
    const writer = createBlog(database)
    await execute(database, 'delete from notes')
    const root = await writer.notes.store(null, { text: 'root' })
    await writer.notes.store(null, { text: 'child', rank: 1, parent_id: root.id })
    const blog = asking()
    const either = any<NoteModel>({ rank: undefined }, { text: 'child' })
    for (const condition of [
      { children: { some: either } },
      { children: { every: either }, text: 'root' },
    ]) {
      answer = condition
      const { data } = await blog.notes.index({ id: 1 })
      expect(data.map(({ attributes }) => attributes['text'])).toEqual(['root'])
    }
  })

  test('a test that tests nothing fails the request, and writes nothing', async () => {
    const writer = createBlog(database)
    const { id } = await writer.notes.store(null, { text: 'kept' })
    const wrong: readonly (readonly [condition: unknown, said: string])[] = [
      [
        { text: {} },
        `notes' does not say what to test of 'text': write { text: { isNull: false } } for any value`,
      ],
      [
        { text: [] },
        `notes' does not say what to test of 'text': write { text: { isNull: false } } for any value`,
      ],
      [
        { due_at: Promise.resolve('x') },
        `notes' does not say what to test of 'due_at': write { due_at: { isNull: false } } for any value`,
      ],
      [
        { children: {} },
        `notes' does not say what to test of 'children': write { children: { some: true } } for any related record`,
      ],
      [
        { children: null },
        `notes' does not say what to test of 'children': write { children: { some: true } } for any related record`,
      ],
      [
        { children: true },
        `notes' does not say what to test of 'children': write { children: { some: true } } for any related record`,
      ],
      [
        { children: { some: {} } },
        `notes' does not say what to test of 'children some': write { children: { some: true } } for any related record`,
      ],
      [
        { children: { none: {} } },
        `notes' does not say what to test of 'children none': write { children: { none: true } } for any related record`,
      ],
      [
        { parent: { isNot: {} } },
        `notes' does not say what to test of 'parent isNot': write { parent: { isNot: true } } for any related record`,
      ],
      [
        { tags: { some: { pivot: {} } } },
        `tags' does not say what to test of 'pivot': write a column of it, or leave pivot out`,
      ],
      [
        { tags: { none: { pivot: null } } },
        `tags' does not say what to test of 'pivot': write a column of it, or leave pivot out`,
      ],
      [
        { due_at: { gt: 'tomorrow' } },
        `notes' compares 'due_at', which is dateTime, with 'tomorrow'`,
      ],
      [
        { price: { not: '1.255' } },
        `notes' compares 'price', which is decimal(10,2), with '1.255'`,
      ],
      [{ id: { notIn: ['abc'] } }, `notes' compares 'id', which is uuid, with 'abc'`],
      [
        any<NoteModel>({ rank: 1 }, { text: {} as never }),
        `notes' does not say what to test of 'text': write { text: { isNull: false } } for any value`,
      ],
      [
        not<NoteModel>({ children: { none: { text: {} as never } } }),
        `notes' does not say what to test of 'text': write { text: { isNull: false } } for any value`,
      ],
    ]
    for (const [condition, said] of wrong) {
      const policy = () => condition as Notes
      const blog = createBlog(database, { policies: { notes: { update: policy, delete: policy } } })
      const works = [
        () => blog.notes.patch({ id: 1 }, id, { text: 'changed' }),
        () => blog.notes.delete({ id: 1 }, id),
        () => blog.notes.show({ id: 1 }, id),
      ]
      for (const work of works) {
        const error: unknown = await work().catch((thrown: unknown) => thrown)
        expect(String(error)).toBe(
          `PolicyMistake: app/Policies/NotePolicy.ts: a condition on '${said}`,
        )
      }
    }
    expect((await writer.notes.show(null, id)).attributes['text']).toBe('kept')
  })

  test('a record that the user cannot see is 404, whatever its policy would get wrong', async () => {
    const mistaken = () => ({ children: { none: {} } }) as unknown as Notes
    const blog = createBlog(database, {
      policies: { notes: { show: () => false, update: mistaken, delete: mistaken } },
    })
    const { id } = await createBlog(database).notes.store(null, { text: 'hidden' })
    expect((await failure(blog.notes.patch({ id: 1 }, id, { text: 'x' }))).status).toBe(404)
    expect((await failure(blog.notes.delete({ id: 1 }, id))).status).toBe(404)
  })

  test('is recognized without asking the database', () => {
    const entity = createBlog(database).notes.definition
    for (const condition of [{}, { children: undefined }, not<NoteModel>({ rank: undefined })]) {
      expect(answerTest(entity, condition)).toBe(null)
    }
  })
})
