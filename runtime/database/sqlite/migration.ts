import type { MigrationSession } from '../migrations/session.js'
import type { Handle } from './handle.js'

/** Milliseconds to wait for another process that is migrating. */
const lockTimeoutMs = 60_000

/**
 * The one order that loses no rows: a rebuilt table drops its old form, and with foreign keys on
 * that would delete the rows that point at it. `PRAGMA foreign_keys` does nothing inside a
 * transaction, so it is turned off before.
 */
export async function migrateSqlite<T>(
  writer: Handle,
  attempt: (work: () => void, deadline: number) => Promise<void>,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  writer.pragma('foreign_keys = OFF')
  try {
    const deadline = performance.now() + lockTimeoutMs
    await attempt(() => void writer.exec('BEGIN IMMEDIATE'), deadline)
    const result = await work(createSession(writer))
    writer.exec('COMMIT')
    return result
  } finally {
    if (writer.inTransaction) writer.exec('ROLLBACK')
    writer.pragma('foreign_keys = ON')
  }
}

const createSession = (writer: Handle): MigrationSession => ({
  dialect: 'sqlite',
  check: (sql) => refuseForgotten(writer, sql),
  run: async (sql) => {
    writer.exec(sql)
    if (!writer.inTransaction) {
      throw new Error('It contains COMMIT or ROLLBACK; a migration already runs in a transaction.')
    }
    refuseOrphans(writer)
  },
  query: async (sql, parameters = []) => {
    const statement = writer.prepare(sql.replaceAll(word, (text) => text.replace(/^\$\d+/, '?')))
    // Raw rows are arrays, which the driver's types do not say.
    if (statement.reader) return statement.raw(true).all(parameters) as unknown[][]
    statement.run(parameters)
    return []
  },
})

/** `$1` inside a name or a text is a part of it. */
const word = /"[^"]*"|'[^']*'|\$\d+/g

const rebuilt = /CREATE TABLE "new_([^"]+)" \(([^]*?)\n\);[^]*?ALTER TABLE "new_\1" RENAME TO "\1"/g

/**
 * A table is built anew by a list of the columns that its branch knew. One that is not in it, and
 * is not said to go, came from another branch, and would go with its values. (What is stored folded
 * goes with the field it is made of.)
 */
function refuseForgotten(writer: Handle, sql: string): void {
  const rows = (text: string) => writer.prepare(text).raw(true).all() as unknown[][]
  for (const [, table = '', body = ''] of sql.matchAll(rebuilt)) {
    for (const [, name] of rows(`PRAGMA table_info("${table}")`)) {
      const column = String(name)
      const known = [column, column.replace(/_folded$/, '')]
      const isSaid = (each: string) =>
        body.includes(`"${each}"`) ||
        sql.includes(`'${each}' of '${table}'`) ||
        sql.includes(`ALTER TABLE "${table}" RENAME COLUMN "${each}"`)
      if (known.some(isSaid)) continue
      const [[values] = []] = rows(`SELECT count("${column}") FROM "${table}"`)
      if (values === 0) continue
      throw new Error(
        `It builds '${table}' anew without '${column}', of which it does not know, and ${String(values)} value(s) would be gone.\n` +
          `  Two branches do not know of each other: write the column into that CREATE TABLE and the INSERT below it. Where its values shall go, say so in a comment: -- drops '${column}' of '${table}'`,
      )
    }
  }
}

/** Foreign keys are off, so what they would have refused is looked for afterwards. */
function refuseOrphans(writer: Handle): void {
  const orphans = writer.prepare('PRAGMA foreign_key_check').raw(true).all() as unknown[][]
  const [[table, rowid, parent] = []] = orphans
  if (orphans.length === 0) return
  throw new Error(
    `It would leave ${orphans.length} row(s) pointing at nothing; the first is in ` +
      `'${String(table)}' (rowid ${String(rowid)}) and points at '${String(parent)}'.`,
  )
}
