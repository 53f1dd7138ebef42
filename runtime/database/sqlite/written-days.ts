import type { KyselyPlugin } from 'kysely'
import { date, isDay } from '../../kinds/date.js'
import { writtenValues } from '../written-values.js'

/** Days that `db` writes into these columns (`table.column`) are stored as all others are. */
export function writtenDays(columns: readonly string[]): KyselyPlugin {
  const days = new Set(columns)
  return writtenValues((column, value) =>
    days.has(column) && isDay(value) ? date.encode.sqlite(value) : value,
  )
}
