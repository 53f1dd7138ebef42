/** Parts of JSON Schema, as the API's document has it. */
import type { JsonValue } from '../manifest/field-types.js'
import type { ColumnFacts, Schema } from './kind.js'

export const typeOf = (type: string, isNullable: boolean): JsonValue =>
  isNullable ? [type, 'null'] : type

export const texts = ({ nullable }: ColumnFacts): Schema => ({ type: typeOf('string', nullable) })

/**
 * Text or a number, each in a schema of its own: kubb never ends where a schema lists two types, and of a list no generator knows
 * which of the words beside it are of which type.
 */
export const textOrNumber = (pattern: string, number: Schema, isNullable: boolean): Schema => ({
  anyOf: [{ type: 'string', pattern }, number, ...(isNullable ? [{ type: 'null' }] : [])],
})

/** One of some words. */
export function choice(options: readonly string[], isNullable: boolean): Schema {
  return { type: typeOf('string', isNullable), enum: [...options, ...(isNullable ? [null] : [])] }
}

export function bounds(
  least: string,
  min: number | undefined,
  most: string,
  max: number | undefined,
): Schema {
  return {
    ...(min === undefined ? {} : { [least]: min }),
    ...(max === undefined ? {} : { [most]: max }),
  }
}
