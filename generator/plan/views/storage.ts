import { FIELD_KINDS } from '../../blueprint/field-kinds.js'
import type { Column } from '../../blueprint/types.js'

/** A column as `columns` of a repository has it: `text`, `dateTime?`, `decimal(10,2)`. */
export function storageOf(column: Column): string {
  const size = column.kind === 'decimal' ? `(${column.precision},${column.scale})` : ''
  return `${FIELD_KINDS[column.kind].storage}${size}${column.nullable ? '?' : ''}`
}
