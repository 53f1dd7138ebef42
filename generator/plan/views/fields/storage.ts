import type { Column } from '../../../blueprint/types.js'
import { kindOf } from '../../../kinds/kinds.js'

/** A column as `columns` of a repository has it: `text`, `dateTime?`, `decimal(10,2)`. */
export function storageOf(column: Column): string {
  const { storage, takes } = kindOf(column.kind)
  const size = takes === 'digits' ? `(${column.precision},${column.scale})` : ''
  return `${storage}${size}${column.nullable ? '?' : ''}`
}
