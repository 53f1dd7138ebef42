import type { Problem } from '../../blueprint/types.js'
import { readNames } from './datamodel.js'
import { statementsOf } from './own-statements.js'
import { splitOutside } from './sql-tables.js'

interface SavedMigration {
  /** Its folder. */
  readonly name: string
  readonly sql: string
}

/** What made a column, and what built its table anew without it. */
interface Column {
  readonly addedBy: string
  readonly lostBy: string | null
}

/**
 * SQLite builds a table anew to change a column, by a list of the columns that the branch knew. Where git merged it behind
 * another branch's migration, which added one, that column would go with its values, and the schema still has it.
 */
export function lostColumns(saved: readonly SavedMigration[], base: string): readonly Problem[] {
  const tables = new Map<string, Map<string, Column>>()
  for (const { name, sql } of saved) for (const statement of statementsOf(sql)) run(statement, name)
  return [...readNames(base)].flatMap(([table, columns]) =>
    [...columns].flatMap((column) => {
      const found = tables.get(table)?.get(column)
      return found === undefined || found.lostBy === null
        ? []
        : [problem(table, column, found.addedBy, found.lostBy)]
    }),
  )

  function run(statement: string, by: string): void {
    const [, created, body] =
      /^CREATE TABLE (?:IF NOT EXISTS )?"([^"]+)" \(([^]*)\)$/.exec(statement) ?? []
    if (created !== undefined) return void tables.set(created, columnsIn(body ?? '', by))
    const [, altered = '', change = ''] = /^ALTER TABLE "([^"]+)" ([^]*)$/.exec(statement) ?? []
    const table = tables.get(altered)
    if (table === undefined) return
    const [, added] = /^ADD COLUMN\s+"([^"]+)"/.exec(change) ?? []
    if (added !== undefined) table.set(added, { addedBy: by, lostBy: null })
    const [, dropped] = /^DROP COLUMN "([^"]+)"/.exec(change) ?? []
    if (dropped !== undefined) table.delete(dropped)
    const [, from, to] = /^RENAME (?:COLUMN "([^"]+)" )?TO "([^"]+)"/.exec(change) ?? []
    if (to === undefined) return
    if (from !== undefined) return move(table, from, to)
    tables.delete(altered)
    tables.set(to, altered === `new_${to}` ? anew(tables.get(to), table, by) : table)
  }
}

const columnsIn = (body: string, addedBy: string) =>
  new Map(
    splitOutside(body, ',').flatMap((item) => {
      const [, column] = /^\s*"([^"]+)"/.exec(item) ?? []
      return column === undefined ? [] : [[column, { addedBy, lostBy: null }] as const]
    }),
  )

function move(table: Map<string, Column>, from: string, to: string): void {
  const column = table.get(from)
  table.delete(from)
  if (column !== undefined) table.set(to, column)
}

/** The new table, and what it lacks of the old one. */
function anew(
  old: ReadonlyMap<string, Column> = new Map(),
  now: ReadonlyMap<string, Column>,
  by: string,
): Map<string, Column> {
  const all = new Map<string, Column>()
  for (const [name, column] of old) all.set(name, { ...column, lostBy: column.lostBy ?? by })
  for (const [name, column] of now) all.set(name, { ...(old.get(name) ?? column), lostBy: null })
  return all
}

function problem(table: string, column: string, addedBy: string, lostBy: string): Problem {
  return {
    rule: 'lost-column',
    file: `prisma/migrations/${lostBy}/migration.sql`,
    line: 1,
    column: 1,
    message:
      `it builds '${table}' anew without '${column}', which ${addedBy} added on another branch: ` +
      `databases that apply it lose that column with its values`,
    fix:
      `before any database with that column applies it: delete the folder ${lostBy}, bring prisma/migrations/base.prisma back ` +
      `to what it was without it (git checkout <the other branch> -- prisma/migrations/base.prisma), run svc generate, ` +
      `and save it again: svc migrate save ${lostBy.replace(/^\d+_/, '')}`,
  }
}
