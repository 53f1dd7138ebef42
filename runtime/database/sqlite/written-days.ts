import type { KyselyPlugin } from 'kysely'
import { writtenValues } from '../written-values.js'
import { codecs } from './values.js'

/** Days that `db` writes into these columns (`table.column`) are stored as all others are. */
export function writtenDays(columns: readonly string[]): KyselyPlugin {
  const days = new Set(columns)
  const encode = codecs.encoder('date')
  const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
  return writtenValues((column, value) =>
    days.has(column) && isDay(value) ? encode?.(value) : value,
  )
}
