import type { KyselyPlugin } from 'kysely'
import { writtenValues } from '../written-values.js'

/** Lists that `db` writes into these (`table.column`) are JSON; node-pg would send an array. */
export function writtenLists(columns: readonly string[]): KyselyPlugin {
  const json = new Set(columns)
  return writtenValues((column, value) =>
    json.has(column) && Array.isArray(value) ? JSON.stringify(value) : value,
  )
}
