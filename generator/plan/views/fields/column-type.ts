import type { Column } from '../../../blueprint/types.js'
import { kindOf } from '../../../kinds/kinds.js'
import { literal } from '../../../source/literal.js'

/** The type of a column in a row, `| null` included. */
export function columnType(column: Column): string {
  const type = valueType(column)
  return column.nullable && type !== 'unknown' ? `${type} | null` : type
}

function valueType({ kind, options = [] }: Column): string {
  const { typescript, isList } = kindOf(kind)
  if (options.length === 0) return typescript
  const union = options.map(literal).join(' | ')
  return isList ? `(${union})[]` : union
}
