import { readChecks, type Check } from '../../../migrations/rows/conversions/checks.js'
import { quoted, type MigrationSession } from './project.js'

/** Rows that a migration cannot go on with. */
export interface Misfit {
  readonly table: string
  readonly column: string
  /** `is no decimal(10, 2)` */
  readonly says: string
  readonly rows: number
  /** The number of them that stay in the way of a run that accepts data loss. */
  readonly lasting: number
  /** The most frequent values, and how often they are there; none of secrets. */
  readonly values: readonly { readonly text: string; readonly rows: number }[]
}

/** The number of values that are shown. */
const shown = 4

/** Asks the database what the checks of a migration will find; changes nothing. */
export async function misfitsOf(
  session: MigrationSession,
  sql: string,
): Promise<readonly Misfit[]> {
  const { before, checks } = readChecks(sql)
  if (checks.length === 0) return []
  await session.query('SAVEPOINT svc_misfits')
  try {
    if (before.trim() !== '') await session.run(before)
    const found: Misfit[] = []
    for (const check of checks) found.push(...(await misfitsBy(session, check)))
    return together(found)
  } finally {
    await session.query('ROLLBACK TO SAVEPOINT svc_misfits')
  }
}

/** A column has two checks where something is left of some of its values, and nothing of others. */
function together(found: readonly Misfit[]): readonly Misfit[] {
  const key = ({ table, column, says }: Misfit) => JSON.stringify([table, column, says])
  const known = new Map<string, Misfit>()
  for (const misfit of found) {
    const other = known.get(key(misfit))
    const lasting = misfit.lasting + (other?.lasting ?? 0)
    const all = other === undefined || misfit.rows > other.rows ? misfit : other
    known.set(key(misfit), { ...all, lasting })
  }
  return [...known.values()]
}

async function misfitsBy(session: MigrationSession, check: Check): Promise<readonly Misfit[]> {
  const { table, column, says, isSecret, isAcceptable, where } = check
  const from = `FROM ${quoted(table)} WHERE ${where}`
  await session.query('SAVEPOINT svc_misfit')
  try {
    const [[count] = []] = await session.query(`SELECT count(*) ${from}`)
    const rows = Number(count)
    const name = quoted(column)
    const values =
      rows === 0 || isSecret
        ? []
        : await session.query(
            `SELECT CAST(${name} AS TEXT), count(*) ${from} GROUP BY ${name} ORDER BY 2 DESC, 1 LIMIT ${shown}`,
          )
    const texts = values.map(([text, times]) => ({ text: String(text), rows: Number(times) }))
    const lasting = isAcceptable ? 0 : rows
    return rows === 0 ? [] : [{ table, column, says, rows, lasting, values: texts }]
  } catch {
    // Equal values are looked for among those that fit; that some do not is found besides.
    await session.query('ROLLBACK TO SAVEPOINT svc_misfit')
    return []
  }
}
