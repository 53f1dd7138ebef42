import type { Column, Json } from '../../../blueprint/types.js'
import { kindOf } from '../../../kinds/kinds.js'
import { valueOf } from '../../../source/literal.js'

/** A column that a new row cannot do without. */
export const isRequired = (column: Column) =>
  !column.nullable &&
  column.default === undefined &&
  column.generated !== true &&
  (column.role === 'field' || column.role === 'foreign' || column.given === 'must')

/** A value that passes the column's rule; it stands in the README and, as an expression, in the factories. */
export const sampleValue = (column: Column): Json => kindOf(column.kind).sample(column)

/** An expression of TypeScript for a column that is no foreign key; unique columns get another value each time. */
export function sampleExpression(column: Column): string {
  const { row, sample, varied } = kindOf(column.kind)
  const other = row === null && column.unique ? (varied?.(column) ?? null) : null
  return other ?? valueOf((row ?? sample)(column))
}

/** Returns true if its unique values are others each time. */
export const isVaried = (column: Column) =>
  column.role === 'field' && (kindOf(column.kind).varied?.(column) ?? null) !== null
