import type { Dialect, Parameter } from '../../database/types.js'
import { columnOf } from '../../model/columns.js'

/** The times of this feature's own tables, stored as those of every other table. */
const columns = {
  sqlite: columnOf('time', 'dateTime', 'sqlite'),
  postgresql: columnOf('time', 'dateTime', 'postgresql'),
} as const

/** A moment in milliseconds, now unless given, as the database stores it. */
export function storedTime(dialect: Dialect, moment = Date.now()): Parameter {
  return columns[dialect].encode(new Date(moment).toISOString())
}

/** A stored time as ISO text; null where there is none. */
export function readTime(dialect: Dialect, stored: unknown): string | null {
  const { decode } = columns[dialect]
  return stored === null ? null : String(decode === null ? stored : decode(stored))
}
