import type { Column } from './columns.js'

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/**
 * The id a path names, or null when no record can have it: then nothing is asked of the database.
 */
export function readId(column: Column, text: string): number | string | null {
  if (column.kind === 'uuid') return isUuid(text) ? text.toLowerCase() : null
  if (!/^[1-9]\d{0,15}$/.test(text)) return null
  const id = Number(text)
  return id <= 2_147_483_647 ? id : null
}
