import type { Column, Json } from '../../blueprint/types.js'
import { literal, valueOf } from '../literal.js'

/** A column that a new row cannot do without. */
export const isRequired = (column: Column) =>
  !column.nullable &&
  column.default === undefined &&
  column.generated !== true &&
  (column.role === 'field' || column.role === 'foreign')

/** A value that passes the column's rule; it stands in the README and, as an expression, in the factories. */
export function sampleValue(column: Column): Json {
  const { kind, min = 0, options = [], scale = 0 } = column
  switch (kind) {
    case 'number':
    case 'integer':
    case 'float':
      return Math.max(min, Math.min(1, column.max ?? 1))
    case 'decimal':
      return Math.max(min, Math.min(1, column.max ?? 1)).toFixed(scale)
    case 'boolean':
    case 'toggle':
      return true
    case 'date':
      return '2026-01-31'
    case 'dateTime':
      return '2026-01-31T12:00:00.000Z'
    case 'json':
      return {}
    case 'multiSelect':
      return options.slice(0, Math.max(min, 1))
    case 'select':
      return options[0] ?? ''
    case 'email':
      return 'somebody@example.com'
    case 'uuid':
      return '11111111-1111-4111-8111-111111111111'
    default:
      return sampleText(column)
  }
}

function sampleText({ name, min = 0, max = Infinity }: Column): string {
  const words = name.replaceAll('_', ' ')
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return text.padEnd(min, '.').slice(0, max)
}

/** An expression of TypeScript for a column that is no foreign key; unique columns get another value each time. */
export function sampleExpression(column: Column): string {
  if (column.kind === 'password') return literal(sampleHash(column))
  return column.unique ? uniqueExpression(column) : valueOf(sampleValue(column))
}

/** No password has this hash, and it is as long as a password may be: the tests send it as one. */
const sampleHash = ({ min = 0, max = Infinity }: Column) =>
  'no password has this hash'.padEnd(min, '.').slice(0, max)

/** Whether its unique values are others each time. */
export const isVaried = (column: Column) =>
  column.role === 'field' &&
  (isText(column) || isNumber(column) || /^(email|uuid|decimal)$/.test(column.kind))

function uniqueExpression(column: Column): string {
  const { kind, name, min = 0, max = Infinity } = column
  if (kind === 'email') return "`${unique('somebody')}@example.com`"
  if (kind === 'uuid') return 'randomUUID()'
  if (isNumber(column)) return `randomInt(${min}, ${Math.min(max, 2 ** 31 - 1)})`
  if (kind === 'decimal') return `String(randomInt(${min}, ${Math.min(max, 1e9)}))`
  if (!isText(column)) return valueOf(sampleValue(column))
  return max < name.length + 13 ? `unique('').slice(0, ${max})` : `unique(${literal(name)})`
}

const isNumber = ({ kind }: Column) => kind === 'number' || kind === 'integer' || kind === 'float'
const isText = ({ kind }: Column) => kind === 'field' || kind === 'text' || kind === 'textarea'
