import { GraphQLID, type GraphQLLeafType, GraphQLString } from 'graphql'

/** Reads values of a scalar or an enum; throws for one that only graphql-js can answer. */
export function leafReader(type: GraphQLLeafType): (value: unknown) => unknown {
  const isText = type === GraphQLString || type === GraphQLID
  return (value) => {
    if (isText && typeof value === 'string') return value
    const leaf = attempted(() => type.serialize(value))
    const isWrong = value instanceof Error || value instanceof Promise
    if (isWrong || leaf === null || leaf === undefined) throw new Unreadable()
    return leaf
  }
}

/** An exception of your scalar or hook is an error of the field, as graphql-js reports it. */
function attempted(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    throw new Unreadable()
  }
}

/** The property of a plain object: what a hook computed, or a pivot row. */
export function propertyOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null
  if (!isObject || Array.isArray(object) || object instanceof Promise) throw new Unreadable()
  const value = attempted(() => Reflect.get(object, name))
  if (typeof value === 'function' || value instanceof Promise) throw new Unreadable()
  return value
}

/** Only graphql-js can answer the value, or say what is wrong with it. */
export class Unreadable extends Error {}
