import type { Column } from './columns.js'

/**
 * The id a path names, or null when no record can have it: then nothing is asked of the database.
 */
export const readId = ({ storage }: Column, text: string): number | string | null =>
  storage.key?.fromText(text) ?? null
