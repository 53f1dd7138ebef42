import type { Column, FieldKind } from '../../blueprint/types.js'
import { literal } from '../literal.js'

/** What a column's value is in TypeScript, null aside; select and multiSelect are narrower, ids may be uuids. */
const types: Readonly<Record<FieldKind, string>> = {
  field: 'string',
  text: 'string',
  textarea: 'string',
  number: 'number',
  integer: 'number',
  float: 'number',
  decimal: 'string',
  boolean: 'boolean',
  toggle: 'boolean',
  date: 'string',
  dateTime: 'string',
  json: 'unknown',
  multiSelect: 'string[]',
  email: 'string',
  password: 'string',
  uuid: 'string',
  select: 'string',
}

/** The type of a column in a row, `| null` included. */
export function columnType(column: Column): string {
  const type = valueType(column)
  return column.nullable && type !== 'unknown' ? `${type} | null` : type
}

function valueType(column: Column): string {
  if (column.options === undefined || column.options.length === 0) return types[column.kind]
  const union = column.options.map(literal).join(' | ')
  return column.kind === 'multiSelect' ? `(${union})[]` : union
}
