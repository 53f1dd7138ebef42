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
    const keepObjects = keepingObjects(writer, sql)
    writer.exec(sql)
    if (!writer.inTransaction) {
      throw new Error('It contains COMMIT or ROLLBACK; a migration already runs in a transaction.')
    }
    keepObjects()
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

interface SqliteObject {
  readonly type: 'index' | 'trigger' | 'view'
  readonly name: string
  /** The name of a view itself. */
  readonly table: string
  readonly sql: string
}

/**
 * SQLite drops indexes and triggers with a table that is built anew. Those that the migration does not name are made again,
 * and what reads the table must be able to read the new one. Answers what does both, once the migration has run.
 */
function keepingObjects(writer: Handle, sql: string): () => void {
  const tables = new Set([...sql.matchAll(rebuilt)].map(([, table = '']) => table.toLowerCase()))
  if (tables.size === 0) return () => {}
  const before = objectsIn(writer)
  const failing = new Set(
    before.filter((each) => whyFailing(writer, each) !== null).map(({ name }) => name),
  )
  const named = new Set(
    [...sql.matchAll(naming)].map(([, ...names]) => names.join('').toLowerCase()),
  )
  return () => {
    for (const each of before) {
      const isGone = each.type !== 'view' && tables.has(each.table.toLowerCase())
      if (!isGone || named.has(each.name.toLowerCase())) continue
      const why = whyNot(() => writer.exec(each.sql))
      if (why !== null) throw new Error(brokenText(each, why))
    }
    for (const each of objectsIn(writer)) {
      const why = whyFailing(writer, each)
      if (why !== null && !failing.has(each.name)) throw new Error(brokenText(each, why))
    }
  }
}

/** `DROP INDEX IF EXISTS "by_name"` */
const naming =
  /\b(?:INDEX|TRIGGER|VIEW)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|(\w+))/gi

const objectsIn = (writer: Handle) =>
  writer
    .prepare(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL ORDER BY rowid`,
    )
    .all() as readonly SqliteObject[]

/** SQLite reads a view, or a trigger, when a statement beside it is prepared. */
function whyFailing(writer: Handle, { type, table }: SqliteObject): string | null {
  if (type === 'index') return null
  const name = `"${table.replaceAll('"', '""')}"`
  if (type === 'view') return whyNot(() => writer.prepare(`SELECT 1 FROM ${name}`))
  const info = writer.prepare(`PRAGMA table_info(${name})`).raw(true).all() as unknown[][]
  const same = info.map(([, column]) => `"${String(column)}" = "${String(column)}"`).join(', ')
  const statements = [
    `DELETE FROM ${name}`,
    `INSERT INTO ${name} DEFAULT VALUES`,
    `UPDATE ${name} SET ${same}`,
  ]
  return whyNot(() => statements.forEach((each) => writer.prepare(each)))
}

function whyNot(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const brokenText = ({ type, name, table }: SqliteObject, why: string) =>
  `It would break the ${type} '${name}'${type === 'view' ? '' : ` of '${table}'`}: ${why}.\n` +
  `  It knows nothing of that ${type}: write DROP ${type.toUpperCase()} "${name}"; before its first statement, and what makes it again after the last.`

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
