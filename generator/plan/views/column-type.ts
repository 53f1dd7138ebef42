import { FIELD_KINDS } from '../../blueprint/field-kinds.js'
import type { Column } from '../../blueprint/types.js'
import { literal } from '../literal.js'

/** The type of a column in a row, `| null` included. */
export function columnType(column: Column): string {
  const type = valueType(column)
  return column.nullable && type !== 'unknown' ? `${type} | null` : type
}

function valueType({ kind, options = [] }: Column): string {
  if (options.length === 0) return FIELD_KINDS[kind].typescript
  const union = options.map(literal).join(' | ')
  return kind === 'multiSelect' ? `(${union})[]` : union
}
