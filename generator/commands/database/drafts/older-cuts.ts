import { readCuts } from '../../../migrations/rows/conversions/checks.js'
import { readTypes } from './conversions.js'
import { namesBefore } from './names-before.js'
import { quoted, type MigrationSession } from './project.js'

interface Cut {
  readonly table: string
  readonly column: string
  readonly rows: number
}

/** Columns that a migration of an earlier svc cuts without a check. Nothing tells which of their values, so each counts. */
export async function olderCuts(session: MigrationSession, sql: string): Promise<readonly Cut[]> {
  const cuts = readCuts(sql)
  if (cuts.length === 0) return []
  const names = namesBefore(await readTypes(session), sql)
  const found: Cut[] = []
  for (const cut of cuts) {
    const [now = '', name = ''] = cut.split('.')
    const table = names.table(now)
    const column = table === undefined ? undefined : names.column(table, name)
    if (table === undefined || column === undefined) continue
    const [[rows] = []] = await session.query(
      `SELECT count(${quoted(column)}) FROM ${quoted(table)}`,
    )
    if (Number(rows) > 0) found.push({ table, column, rows: Number(rows) })
  }
  return found
}
