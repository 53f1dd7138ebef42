/** A search for words reads what has them, however many rows there are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parameter } from '../../../runtime/database/types.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { type Sent, sentBy } from '../../support/sent.js'

const many = 20_000

const manifest = {
  manifest: 'tests/features/full-text/manifests/plans.ts',
  policies: {
    Item: { show: '(user) => ({ id: { gt: 0 } })' },
    Part: {
      show: `() => true,
  canSee: { two: () => false, three: (user) => ({ id: { gt: user?.id ?? 0 } }) }`,
    },
  },
}

describe.each(databases)('the plan of a search for words on %s', (name) => {
  let project: Project
  let ann: number
  const run = (sql: string, parameters: readonly Parameter[] = []) =>
    project.database.query({ sql, access: 'write' }, parameters)

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    const isLite = name === 'sqlite'
    const now = isLite ? "'2026-01-01T00:00:00.000+00:00'" : 'now()'
    const rows = (table: string, columns: string, values: string) =>
      run(
        isLite
          ? `insert into ${table} (${columns}, created_at, updated_at) with recursive s(n) as (select 1 union all select n + 1 from s where n < ${many}) select ${values}, ${now}, ${now} from s`
          : `insert into ${table} (${columns}, created_at, updated_at) select ${values}, ${now}, ${now} from generate_series(1, ${many}) as s(n)`,
      )
    await rows(
      'items',
      'title, body',
      `'item number' || n, case when n % 2000 = 0 then 'a lamp' else 'a chair' end`,
    )
    for (const table of ['sheets', 'parts']) {
      const lamp = (every: number) => `case when n % ${every} = 0 then 'a lamp' else 'a chair' end`
      const values = [`'sheet ' || n`, `'a chair'`, lamp(4000), lamp(2000)]
      await rows(table, 'one, two, three, four', values.join())
    }
    const id = isLite
      ? `printf('0190a000-0000-7000-8000-%012d', n)`
      : `('0190a000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
    await rows(
      'notes',
      'id, text',
      `${id}, case when n % 2000 = 0 then 'a lamp' else 'a chair' end`,
    )
    // PostgreSQL puts new words into the index when it has time.
    await run(isLite ? 'analyze' : 'vacuum analyze')
  })
  afterAll(() => project.close())

  async function sent(path: string) {
    const { answer, statements } = await sentBy(project, () => project.get(`/api/svc/${path}`, ann))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const ofRows = statements.filter(([{ sql }]) => /"(items|notes|sheets|parts)" as/.test(sql))
    return { body: answer.body, statements: ofRows }
  }

  const planOf = async ([{ sql }, parameters]: Sent) => {
    const explain = name === 'sqlite' ? 'explain query plan' : 'explain'
    return (await run(`${explain} ${sql}`, parameters)).map((row) => row.join(' ')).join('\n')
  }

  it.each([
    ['items?search=lamp', 10],
    ['items?search=%22a+lamp%22&sort=title', 10],
    ['items?search=lam*', 10],
    ['items?search=lamp+-chair', 10],
    ['items?search=lamp&cursor=', 10],
    ['notes?search=lamp', 10],
    ['sheets?search=lamp', 10],
    ['sheets?search=lamp+sheet+chair', 10],
    ['sheets?search=%22a+lamp%22+-table', 10],
    ['parts?search=lamp', 10],
    ['parts?search=%22a+lamp%22+sheet', 10],
  ])('%s begins at its index', async (path, found) => {
    const { body, statements } = await sent(path)
    expect(body.data).toHaveLength(found)
    for (const each of statements) {
      const plan = await planOf(each)
      if (name === 'sqlite')
        expect(plan).not.toMatch(/SCAN (t0|"?(items|notes|sheets|parts)"?)(?! VIRTUAL)\b/)
      else expect(plan).not.toMatch(/Seq Scan/)
      expect(plan).toMatch(name === 'sqlite' ? /VIRTUAL TABLE INDEX/ : /_search_vector_idx/)
      // Once for all rows, or `lam*` takes the square of them.
      const ranks = plan.match(/CORRELATED SCALAR SUBQUERY/g) ?? []
      expect(plan.match(/MATERIALIZE ranked/g) ?? []).toHaveLength(ranks.length)
    }
  })
})
