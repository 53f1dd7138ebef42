import type { Project } from '../../database/drafts/project.js'

/** A statement, and the table that it should not have to go through. */
export interface PlanAsked {
  readonly table: string
  readonly sql: string
}

/**
 * Lists the statements that go through all of their table, as the database says itself. Runs none
 * of them.
 */
export async function scansIn(
  { database }: Pick<Project, 'database'>,
  asked: readonly PlanAsked[],
): Promise<readonly boolean[]> {
  const scans = database.dialect === 'sqlite' ? scansOnSqlite : scansOnPostgres
  const explain = database.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN (FORMAT JSON)'
  const found: boolean[] = []
  for (const { table, sql } of asked) {
    const rows = await database.query({ sql: `${explain} ${sql}`, access: 'read' }, [])
    found.push(scans(rows, table))
  }
  return found
}

type Rows = readonly (readonly unknown[])[]

/** Rows of id, parent, unused, detail: below the statement itself, and not below what it compares with. */
const scansOnSqlite = (rows: Rows, table: string): boolean =>
  rows.some(
    ([, parent, , detail]) =>
      parent === 0 &&
      String(detail).startsWith(`SCAN ${table}`) &&
      !/USING .*INDEX/.test(String(detail)),
  )

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Parent Relationship'?: string
  readonly Plans?: readonly Plan[]
}

function scansOnPostgres([row]: Rows, table: string): boolean {
  const told = row?.[0]
  // As its documentation says.
  const [{ Plan: plan }] = (typeof told === 'string' ? JSON.parse(told) : told) as [{ Plan: Plan }]
  return isScan(plan, table)
}

const isScan = ({ Plans = [], ...node }: Plan, table: string): boolean =>
  (node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table) ||
  Plans.filter((each) => each['Parent Relationship'] !== 'InitPlan').some((each) =>
    isScan(each, table),
  )
