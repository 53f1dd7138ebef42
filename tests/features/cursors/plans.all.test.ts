/** How far a page is says nothing of what it costs: an index leads to its first row. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parameter } from '../../../runtime/database/types.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { sentBy } from '../../support/sent.js'

const many = 20_000

const manifest = { manifest: 'tests/features/cursors/manifests/plans.ts' }

describe.each(databases)('pages far into a list on %s', (name) => {
  let project: Project
  let ann: number
  const run = (sql: string, parameters: readonly Parameter[] = []) =>
    project.database.query({ sql, access: 'write' }, parameters)

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    const isLite = name === 'sqlite'
    const instant = (days: string) =>
      isLite
        ? `strftime('%Y-%m-%dT%H:%M:%f', '2020-01-01', '+' || (${days}) || ' minutes') || '+00:00'`
        : `timestamptz '2020-01-01' + (${days}) * interval '1 minute'`
    const values = `'t' || (n % 5000), case when n % 2 = 0 then 'open' else 'paid' end, case when n % 3 = 0 then null else ${instant('n')} end, (n % 3000) / 10.0, ${instant('n')}, ${instant('n')}`
    const into = 'insert into items (title, status, happened_at, price, created_at, updated_at)'
    await run(
      isLite
        ? `${into} with recursive s(n) as (select 1 union all select n + 1 from s where n < ${many}) select ${values} from s`
        : `${into} select ${values} from generate_series(1, ${many}) as s(n)`,
    )
    await run('analyze')
  })
  afterAll(() => project.close())

  /** The statements of a request about items, as they were sent. */
  async function sent(path: string) {
    const { answer, statements } = await sentBy(project, () => project.get(path, ann))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const ofItems = statements.filter(([{ sql }]) => sql.includes('"items" as'))
    return { body: answer.body, statements: ofItems }
  }

  interface Plan {
    'Node Type': string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: Plan[]
  }

  function rowsRead(plan: Plan): number {
    const below = (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0)
    if (!plan['Node Type'].includes('Scan')) return below
    return (
      below + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    )
  }

  async function expectFew(sql: string, parameters: readonly Parameter[]): Promise<void> {
    if (name === 'sqlite') {
      const rows = await run(`explain query plan ${sql}`, parameters)
      const details = rows.map((row) => String(row[3]))
      expect(
        details.filter((each) => each.startsWith('SCAN')),
        `${sql}\n${details.join('\n')}`,
      ).toEqual([])
      // Those of equal values are sorted, and no more.
      expect(
        details.filter((each) => /TEMP B-TREE FOR ORDER BY/.test(each)),
        sql,
      ).toEqual([])
      return
    }
    const [row] = await run(`explain (analyze, format json) ${sql}`, parameters)
    const [json] = row ?? []
    const [{ Plan }] = (typeof json === 'string' ? JSON.parse(json) : json) as [{ Plan: Plan }]
    expect(rowsRead(Plan), `${sql}\n${JSON.stringify(Plan)}`).toBeLessThan(150)
  }

  it.each([
    ...['', 'title', '-title', '-created_at', 'created_at', '-happened_at', 'happened_at'],
    ...['-price,-title', '-created_at,title'],
  ])('sort=%s', async (sort) => {
    const at = `/api/svc/items?perPage=10&sort=${sort}`
    const middle = await project.get(`/api/svc/items?perPage=100&cursor=&sort=${sort}`, ann)
    let cursor: string = middle.body.meta.next_cursor
    for (let page = 0; page < 60; page++) {
      const { body } = await project.get(`${at.replace('10', '100')}&cursor=${cursor}`, ann)
      cursor = body.meta.next_cursor
    }
    const further = await sent(`${at}&cursor=${cursor}`)
    expect(further.body.data).toHaveLength(10)
    for (const [{ sql }, parameters] of further.statements) await expectFew(sql, parameters)
    const back = await sent(`${at}&cursor=${further.body.meta.prev_cursor}`)
    expect(back.body.data).toHaveLength(10)
    for (const [{ sql }, parameters] of back.statements) await expectFew(sql, parameters)
  })
})
