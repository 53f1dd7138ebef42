import type { Column, FieldKind } from '../../blueprint/types.js'

/** How the runtime stores a field kind; decimals add precision and scale. */
const kinds: Readonly<Record<FieldKind, string>> = {
  field: 'text',
  text: 'text',
  textarea: 'text',
  number: 'integer',
  integer: 'integer',
  float: 'float',
  decimal: 'decimal',
  boolean: 'boolean',
  toggle: 'boolean',
  date: 'date',
  dateTime: 'dateTime',
  json: 'json',
  multiSelect: 'json',
  email: 'text',
  password: 'password',
  uuid: 'uuid',
  select: 'text',
}

/** A column as `columns` of a repository has it: `'text'`, `'dateTime?'`, `'decimal(10,2)'`. */
export function storageOf(column: Column): string {
  const size = column.kind === 'decimal' ? `(${column.precision},${column.scale})` : ''
  return `${kinds[column.kind]}${size}${column.nullable ? '?' : ''}`
}
