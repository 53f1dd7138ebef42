import { type GraphQLSchema, isInputObjectType } from 'graphql'
import { nullPrototypeObject } from '../../model/get-own.js'

/**
 * Whether an input has a field called like something that every object inherits, as `constructor` is:
 * graphql-js would take that from objects which do not have the field.
 */
export const namesInherited = (schema: GraphQLSchema): boolean =>
  Object.values(schema.getTypeMap()).some(
    (type) =>
      isInputObjectType(type) &&
      Object.keys(type.getFields()).some((name) => name in Object.prototype),
  )

/** Members of an object that is copied: a larger one takes long (60,000 members: 70 ms). */
const mostCopied = 100

/** Copies objects so that they inherit nothing. */
export function withoutPrototype(given: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(given)
  const values: Record<string, unknown> =
    entries.length > mostCopied ? Object.setPrototypeOf(given, null) : nullPrototypeObject()
  for (const [name, value] of entries) {
    const isSame = values === given && (typeof value !== 'object' || value === null)
    if (!isSame) values[name] = withoutPrototypes(value)
  }
  return values
}

function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  return typeof value === 'object' && value !== null ? withoutPrototype(value) : value
}
