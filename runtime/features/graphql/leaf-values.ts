import { GraphQLID, type GraphQLLeafType, GraphQLString } from 'graphql'

/** Reads values of a scalar or an enum; throws for one that only graphql-js can answer. */
export function leafReader(type: GraphQLLeafType): (value: unknown) => unknown {
  const isText = type === GraphQLString || type === GraphQLID
  return (value) => {
    if (isText && typeof value === 'string') return value
    const leaf = type.serialize(value)
    const isWrong = value instanceof Error || value instanceof Promise
    if (isWrong || leaf === null || leaf === undefined) throw unreadable()
    return leaf
  }
}

/** The property of a plain object: what a hook computed, or a pivot row. */
export function propertyOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null
  if (!isObject || Array.isArray(object) || object instanceof Promise) throw unreadable()
  const value: unknown = Reflect.get(object, name)
  if (typeof value === 'function' || value instanceof Promise) throw unreadable()
  return value
}

export const unreadable = () => new TypeError('This value is for graphql-js.')
