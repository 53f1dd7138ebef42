/** `svc why`, `svc who` and `svc policies diff` of operations that an extension adds: those of a trash. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { answerWhy } from '../../../runtime/features/explain/answer.js'
import { comparePolicies } from '../../../runtime/features/explain/compare.js'
import { findingIn } from '../../../runtime/features/explain/own-operations.js'
import { whoMay } from '../../../runtime/features/explain/who.js'
import { whyRecord } from '../../../runtime/features/explain/why.js'
import { userSource } from '../../../runtime/features/sign-in/users.js'
import { softDeletes } from '../../../runtime/features/soft-deletes/soft-deletes.js'
import { forceDeleteRecord, restoreRecord } from '../../../runtime/features/soft-deletes/trash.js'
import type { Row } from '../../../runtime/model/entity.js'
import { any } from '../../../runtime/policy/condition.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { parseShowQuery } from '../../../runtime/query/parse-query.js'
import { runsOn } from '../../support/runs.js'
import { createBlog } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import type { NoteModel } from './models.js'
import { condition, note } from './random-conditions.js'

type Answer = boolean | Condition<NoteModel>

interface Rules {
  readonly show: Answer
  readonly restore: Answer
  readonly forceDelete: Answer
}

/** No answer at all hides a record beside an extension with 404, and without one with 401. */
const isAnswer = (answer: unknown) => typeof answer === 'boolean' || typeof answer === 'object'

const rules = fc.record<Rules>({
  show: fc.oneof(fc.constant(true), condition.filter(isAnswer)),
  restore: condition,
  forceDelete: condition,
})

const operations = ['show', 'restore', 'forceDelete'] as const

const statusOf = (work: Promise<unknown>, done: number) =>
  work.then(
    () => done,
    (error: { status?: number }) => error.status ?? String(error),
  )

describe.each(dialects)('operations of a trash on %s', (dialect) => {
  let database: Database
  let signedIn: Row
  beforeAll(async () => {
    database = await openDatabase(dialect)
    const user = { name: 'Ada', email: 'ada@own.org', password: 'long enough' }
    const { users } = createBlog(database)
    signedIn = await users
      .find(null, (await users.store(null, user)).id)
      .then((row) => ({ ...row }))
  })
  afterAll(() => database.close())

  /** Due records are in the trash. */
  const blogOf = (answers: Partial<Record<keyof Rules, unknown>>) => {
    const asked = Object.entries(answers).map(([name, answer]) => [
      name,
      typeof answer === 'function' ? answer : () => answer,
    ])
    return createBlog(database, {
      policies: { notes: Object.fromEntries(asked) },
      definitions: { notes: { extensions: [softDeletes({ column: 'due_at' })] } },
    })
  }

  const sent = (blog: ReturnType<typeof blogOf>, user: Row | null, id: string) => ({
    show: () => statusOf(blog.notes.show(user, id), 200),
    restore: () => statusOf(restoreRecord(blog.notes, user, id), 200),
    forceDelete: () => statusOf(forceDeleteRecord(blog.notes, user, id), 204),
  })

  test('why and who say what the request is answered, for random policies and rows', async () => {
    const open = createBlog(database)
    await fc.assert(
      fc.asyncProperty(
        rules,
        note,
        fc.boolean(),
        fc.boolean(),
        async (answers, row, isGuest, isNowhere) => {
          const blog = blogOf(answers)
          const entity = blog.notes.definition
          const user = isGuest ? null : signedIn
          for (const operation of operations) {
            const made = (await open.notes.store(null, row)).id
            const id = isNowhere ? made.replace(/.{4}$/, 'ffff') : made
            const asked = { entity, operation, id, user, audience: 'command' } as const
            const { result, statements } = await counted(database, () => whyRecord(asked))
            expect(statements).toHaveLength(1)
            const users = userSource(blog.users)
            const who = await whoMay(
              { entity, id, operation, users, role: null, isNot: false },
              { tell: () => {}, isStopped: () => false },
            )
            const status = await sent(blog, user, id)[operation]()
            expect([answers, operation, result.sentence, result.status]).toEqual([
              answers,
              operation,
              result.sentence,
              status,
            ])
            expect(result.answer).toBe(Number(status) < 300 ? 'yes' : 'no')
            const isNamed = isGuest ? who.guest === 'yes' : who.count === 1
            expect([answers, operation, isNamed]).toEqual([
              answers,
              operation,
              result.answer === 'yes',
            ])
          }
        },
      ),
      { numRuns: runsOn(dialect, 80) },
    )
  })

  test('a request that looks into the trash is answered what why says of it', async () => {
    const open = createBlog(database)
    await fc.assert(
      fc.asyncProperty(rules, note, fc.constantFrom('with', 'only'), async (answers, row, into) => {
        const { notes } = blogOf(answers)
        const { id } = await open.notes.store(null, row)
        const parameters = new URLSearchParams({ trashed: into })
        const asked = { id, user: signedIn, operation: 'show', audience: 'command' } as const
        const finding = findingIn(parameters)
        const why = await whyRecord({ entity: notes.definition, ...asked, finding })
        const shown = notes.show(signedIn, id, parseShowQuery(parameters))
        expect([answers, why.status]).toEqual([answers, await statusOf(shown, 200)])
      }),
      { numRuns: runsOn(dialect, 40) },
    )
  })

  test('diff is the difference of asking each row, of either operation', async () => {
    const open = createBlog(database)
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 1, maxLength: 3 }),
        rules,
        rules,
        async (rows, one, other) => {
          await execute(database, 'delete from notes')
          const ids: string[] = []
          for (const row of rows) ids.push((await open.notes.store(null, row)).id)
          const [before, after] = [blogOf(one), blogOf(other)]
          const mayOf = async (blog: typeof before, operation: (typeof operations)[number]) => {
            const entity = blog.notes.definition
            const asked = { entity, operation, user: null, audience: 'command' } as const
            const found = await Promise.all(ids.map((id) => whyRecord({ ...asked, id })))
            return ids.filter((_, at) => found[at]?.answer === 'yes')
          }
          const { differences } = await comparePolicies([before.notes], [after.notes], null, [])
          for (const operation of operations) {
            const [old, now] = [await mayOf(before, operation), await mayOf(after, operation)]
            const found = differences.find((each) => each.operation === operation)
            const only = (these: readonly string[], those: readonly string[]) =>
              these.filter((id) => !those.includes(id)).toSorted()
            expect([operation, found?.gains.ids ?? []]).toEqual([operation, only(now, old)])
            expect([operation, found?.loses.ids ?? []]).toEqual([operation, only(old, now)])
          }
        },
      ),
      { numRuns: runsOn(dialect, 40) },
    )
  })

  test('the words are of the operation, and it is known where it is there alone', async () => {
    const open = createBlog(database)
    await execute(database, 'delete from notes')
    const there = (await open.notes.store(null, { text: 'there' })).id
    const gone = (await open.notes.store(null, { text: 'gone', due_at: '2026-01-01T00:00:00Z' })).id
    const blog = blogOf({
      restore: (user: { name?: string } | null) => any<NoteModel>({ text: user?.name ?? 'x' }),
      forceDelete: false,
    })
    const project = { repositories: [blog.notes, blog.posts], users: userSource(blog.users) }
    const why = async (about: string, id = '', operation = 'show', user = 'ada@own.org') => {
      const asked = { about, id, user, operation, body: null, field: null }
      const found = await answerWhy(project, asked)
      return found.kind === 'unanswerable' ? found.message : found.why.sentence
    }
    const ada = `Ada (user ${String(signedIn['id'])})`
    expect(await why('notes', there, 'restore')).toBe(
      `No: ${ada} cannot restore notes/${there}: it is there, and not to be found for that (404).`,
    )
    const same = await why('notes', there, 'forceDelete')
    expect(same).toBe(`No: ${ada} sees notes/${there}, and may not forceDelete it (403).`)
    expect(await why(`POST /api/svc/notes/${there}/restore`)).toBe(
      await why('notes', there, 'restore'),
    )
    expect(await why(`DELETE /api/svc/notes/${there}/force`)).toBe(same)
    expect(await why(`GET /api/svc/notes/${gone}`)).toContain('it is there, and hidden (404)')
    const closed = blogOf({ restore: false, forceDelete: false })
    const barred = { ...project, repositories: [closed.notes] }
    const said = async (about: string) => {
      const asked = { about, id: '', user: 'ada@own.org', operation: 'show', body: null }
      const found = await answerWhy(barred, { ...asked, field: null })
      return found.kind === 'unanswerable' ? found.message : found.why.sentence
    }
    expect(await said(`POST /api/svc/notes/${gone}/restore`)).toBe(
      `No: ${ada} may not restore notes/${gone}, whatever it is (403).`,
    )
    expect(await said(`GET /api/svc/notes/${gone}?trashed=only`)).toBe(
      `No: ${ada} may not look for notes/${gone}, whatever it is (403).`,
    )
    expect(await said('GET /api/svc/notes?trashed=only')).toContain('(403)')
    const list = await why('GET /api/svc/notes?trashed=only')
    expect(list).toBe(
      'No: there is no record at all.'.replace('there', 'the list is empty, because there'),
    )
    expect(await why('posts', '1', 'restore')).toContain('there are show, store, update, delete,')
    expect(await why('notes', '1', 'nothing')).toContain('delete, restore, forceDelete, attachTags')
    const rows = await whoMay(
      {
        ...{ entity: blog.notes.definition, id: gone, operation: 'restore' },
        ...{ users: project.users, role: null, isNot: true },
      },
      { tell: () => {}, isStopped: () => false },
    )
    expect(rows.groups.map(({ because }) => because)).toEqual(["restore: text is the user's name"])
  })
})
