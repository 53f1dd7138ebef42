import type { Types } from './conversions.js'
import { renamesIn } from './renames-in.js'

/**
 * Returns the names before a migration that renames. Undefined: there was no such table or column.
 */
export function namesBefore(types: Types, sql: string) {
  const renamed = renamesIn(sql)
  return {
    table: (now: string) =>
      [...types.keys()].find((name) => renamed({ table: name, column: null }).table === now),
    /** Returns the former name of a column, by the table's former name. */
    column: (table: string, now: string) =>
      [...(types.get(table)?.keys() ?? [])].find(
        (name) => renamed({ table, column: name }).column === now,
      ),
  }
}
