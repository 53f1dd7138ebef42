import type { Types } from './conversions.js'
import { renamesIn } from './renames-in.js'

/** What a migration renames, by the names of before it. Undefined: there was no such thing. */
export function namesBefore(types: Types, sql: string) {
  const renamed = renamesIn(sql)
  return {
    table: (now: string) =>
      [...types.keys()].find((name) => renamed({ table: name, column: null }).table === now),
    /** Of a table, by its name of before. */
    column: (table: string, now: string) =>
      [...(types.get(table)?.keys() ?? [])].find(
        (name) => renamed({ table, column: name }).column === now,
      ),
  }
}
