/** `svc who`: of all users, those who may do something with a record. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { whoMay, type WhoQuestion } from '../../../runtime/features/explain/who.js'
import { whyRecord } from '../../../runtime/features/explain/why.js'
import { userSource } from '../../../runtime/features/sign-in/users.js'
import { all, any, not } from '../../../runtime/policy/condition.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { createBlog } from '../../core/kernel/blog.js'
import { counted, dialects, execute, openDatabase } from '../../core/kernel/databases.js'
import type { PostModel, User } from '../../core/kernel/models.js'
import { runsOn } from '../../support/runs.js'

type Answer = boolean | Condition<PostModel>
type Rule = (user: User | null) => Answer

/** What policies say of users: each reads something else of them. */
const leaf: fc.Arbitrary<Rule> = fc.constantFrom<Rule>(
  (user) => ({ owner_id: user?.id }),
  (user) => user?.is_admin === true || { title: 'open' },
  (user) => ({ comments: { some: { user_id: user?.id } } }),
  (user) => ({ owner: { is: { name: user?.name } } }),
  (user) => ({ comments: { none: { user_id: user?.id } } }),
  (user) => user !== null,
  () => ({ description: { isNull: true } }),
  () => false,
)
const rule: fc.Arbitrary<Rule> = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.tuple(tie('rule'), tie('rule')).map(
      ([one, two]): Rule =>
        (user) =>
          any<PostModel>(one(user), two(user)),
    ),
    fc.tuple(tie('rule'), tie('rule')).map(
      ([one, two]): Rule =>
        (user) =>
          all<PostModel>(one(user), two(user)),
    ),
    tie('rule').map(
      (one): Rule =>
        (user) =>
          not<PostModel>(one(user)),
    ),
  ),
})).rule

const course = { tell: () => {}, isStopped: () => false }

describe.each(dialects)('who on %s', (dialect) => {
  let database: Database
  let people: readonly User[] = []
  let posts: readonly string[] = []
  beforeAll(async () => {
    database = await openDatabase(dialect)
    const open = createBlog(database)
    const made: User[] = []
    for (const name of ['Ada', 'Bob', 'Cy\u001B[2J']) {
      const user = { name, email: `${made.length}@who.org`, password: 'long enough' }
      made.push(await open.users.find(null, (await open.users.store(null, user)).id))
    }
    await execute(
      database,
      `update users set is_admin = ${dialect === 'sqlite' ? 1 : 'true'} where id = 2`,
    )
    people = await Promise.all(made.map(({ id }) => open.users.find(null, String(id))))
    const ids: string[] = []
    for (const [at, title] of ['open', 'shut'].entries()) {
      const owner = { id: people[at]?.id ?? 0 }
      ids.push((await open.posts.store(owner, { title, description: at === 0 ? null : 'x' })).id)
    }
    await open.comments.store({ id: people[2]?.id ?? 0 }, { body: 'Hm', post_id: ids[1] })
    posts = ids
  })
  afterAll(() => database.close())

  const questionOf = (policy: object, id: string, more: Partial<WhoQuestion> = {}): WhoQuestion => {
    const blog = createBlog(database, { policies: { posts: policy } })
    const users = userSource(blog.users)
    const entity = blog.posts.definition
    return { entity, id, operation: 'show', users, role: null, isNot: false, ...more }
  }

  test('it names those who may when each of them is asked, and with --not the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        rule,
        rule,
        fc.constantFrom('show', 'update', 'delete'),
        async (show, write, operation) => {
          for (const id of posts) {
            const policy = { show, update: write, delete: write }
            const question = questionOf(policy, id, { operation })
            const named = async (isNot: boolean) => {
              const who = await whoMay({ ...question, isNot }, course)
              expect(who.count).toBe(who.groups.reduce((sum, { count }) => sum + count, 0))
              return who.groups
                .flatMap(({ users }) => users.map((user) => Number(user.id)))
                .toSorted()
            }
            const may: number[] = []
            for (const user of people) {
              const { entity } = question
              const one = { entity, operation, id, user: { ...user }, audience: 'command' } as const
              if ((await whyRecord(one)).answer === 'yes') may.push(user.id)
            }
            expect(await named(false)).toEqual(may)
            const others = people.map(({ id: each }) => each).filter((each) => !may.includes(each))
            expect(await named(true)).toEqual(others)
          }
        },
      ),
      { numRuns: runsOn(dialect, 25) },
    )
  })

  test('by which leaf, in words that are the same for all, and a hostile name is harmless', async () => {
    const show = (user: User | null) =>
      user?.is_admin === true ||
      any<PostModel>({ owner_id: user?.id }, { comments: { some: { user_id: user?.id } } })
    const who = await whoMay(questionOf({ show }, posts[1] ?? ''), course)
    expect(who).toMatchObject({ asked: 3, count: 2, guest: 'no', isThere: true, isPartial: false })
    expect(who.groups).toEqual([
      {
        because: "show: whatever the record, for the user's is_admin",
        count: 1,
        users: [{ id: String(people[1]?.id), name: 'Bob' }],
      },
      {
        because: "show: one of comments has (user_id is the user's id)",
        count: 1,
        users: [{ id: String(people[2]?.id), name: 'Cy\\u{1b}[2J' }],
      },
    ])
    expect(await whoMay(questionOf({ show }, '999999'), course)).toMatchObject({
      isThere: false,
      count: 0,
    })
  })

  test('many users are asked in a bounded number of statements, and it can be stopped', async () => {
    const now = dialect === 'sqlite' ? "'2026-01-01'" : "timestamptz '2026-01-01'"
    const no = dialect === 'sqlite' ? '0' : 'false'
    const series =
      dialect === 'sqlite'
        ? 'with recursive s(n) as (select 1 union all select n + 1 from s where n < 2400)'
        : 'with s as (select generate_series(1, 2400) n)'
    await execute(
      database,
      `insert into users (name, email, password, is_admin, created_at, updated_at)
        ${series} select 'many', n || '@many.org', '-', ${no}, ${now}, ${now} from s`,
    )
    const show: Rule = (user) => any<PostModel>({ owner_id: user?.id }, { title: 'open' })
    const told: string[] = []
    const { result, statements } = await counted(database, () =>
      whoMay(questionOf({ show }, posts[1] ?? ''), {
        tell: (asked, of) => void told.push(`${asked}/${of}`),
        isStopped: () => false,
      }),
    )
    expect(result).toMatchObject({ asked: 2403, count: 1 })
    expect(told).toEqual(['500/2403', '1000/2403', '1500/2403', '2000/2403', '2403/2403'])
    // One of the guest, one that counts, and for each page of 500 one that reads and one that answers.
    expect(statements).toHaveLength(2 + 2 * 5)
    let isStopped = false
    const stopped = await whoMay(questionOf({ show }, posts[1] ?? ''), {
      tell: () => (isStopped = true),
      isStopped: () => isStopped,
    })
    expect(stopped).toMatchObject({ asked: 500, isPartial: true })
    const byAll = questionOf({ show: () => true }, posts[1] ?? '')
    const named = async (isAll: boolean) =>
      (await whoMay({ ...byAll, isAll }, course)).groups.map(({ users }) => users.length)
    expect([await named(false), await named(true)]).toEqual([[5], [2403]])
    await execute(database, "delete from users where name = 'many'")
  })

  test('a long name is cut, as other values are', async () => {
    await execute(database, `update users set name = '${'x'.repeat(50_000)}' where id = 1`)
    const who = await whoMay(questionOf({ show: () => true }, posts[1] ?? ''), course)
    expect(who.groups[0]?.users[0]?.name).toBe(`${'x'.repeat(60)}…`)
  })
})
