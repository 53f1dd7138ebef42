import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { getOwn } from '../../model/get-own.js'
import { documentError } from './errors.js'
import { limitError } from './limits.js'

/** Errors that one answer names. */
const mostErrors = 20

/** Ends the coercion: a value may have an error in each of its members. */
class EnoughErrors extends Error {}

interface VariableOptions {
  /** Names of the schema are not suggested where clients may not ask for it. */
  readonly hideSuggestions: boolean
}

/**
 * Coerces the variables of an operation, as `getVariableValues` of graphql-js does. That one writes
 * the whole value into the text of each error: 60,000 unknown members took a second, and a value may
 * be a password.
 */
export function readVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  inputs: Readonly<Record<string, unknown>>,
  { hideSuggestions }: VariableOptions,
): { readonly coerced: Record<string, unknown> } | { readonly errors: readonly GraphQLError[] } {
  const errors: GraphQLError[] = []
  const refuse = (message: string) => {
    if (errors.length === mostErrors) throw new EnoughErrors()
    errors.push(documentError(message, 'BAD_USER_INPUT'))
  }
  const coerced: Record<string, unknown> = {}
  try {
    for (const { variable, type: node, defaultValue } of definitions) {
      const name = variable.name.value
      const type = typeFromAST(schema, node)
      if (!isInputType(type)) throw new TypeError(`$${name} is no input: it was validated`)
      const value = inputs[name]
      if (!Object.hasOwn(inputs, name)) {
        if (defaultValue !== undefined) coerced[name] = valueFromAST(defaultValue, type)
        else if (isNonNullType(type)) {
          refuse(`Variable "$${name}" of required type "${String(type)}" was not provided.`)
        }
      } else if (value === null && isNonNullType(type)) {
        refuse(`Variable "$${name}" of non-null type "${String(type)}" must not be null.`)
      } else {
        const onError: OnError = (path, _value, error) => refuse(textOf(name, path, error))
        coerced[name] = coerceInputValue(value, type, onError, hideSuggestions)
      }
    }
  } catch (error) {
    if (!(error instanceof EnoughErrors)) throw error
    errors.push(
      documentError(`The variables have more than ${mostErrors} errors.`, 'BAD_USER_INPUT'),
    )
  }
  return errors.length > 0 ? { errors } : { coerced }
}

/** Fields that the input objects of variables could have, all together: each is looked for, twice. */
const mostFields = 250_000

/** Holds variables against that, before they are coerced. */
export function requireFewFields(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  inputs: Readonly<Record<string, unknown>>,
): GraphQLError | null {
  let fields = 0
  const count = (value: unknown, type: GraphQLInputType): boolean => {
    const own = getNullableType(type)
    if (Array.isArray(value)) {
      const item = isListType(own) ? own.ofType : own
      return isObjectOrList(item) ? value.every((each) => count(each, item)) : true
    }
    const target = isListType(own) ? getNamedType(own) : own
    if (!isInputObjectType(target) || typeof value !== 'object' || value === null) return true
    const known = target.getFields()
    fields += Object.keys(known).length
    if (fields > mostFields) return false
    for (const name in value) {
      const field = getOwn(known, name)
      const inner = (value as Readonly<Record<string, unknown>>)[name]
      if (field !== undefined && !count(inner, field.type)) return false
    }
    return true
  }
  for (const { variable, type: node } of definitions) {
    const type = typeFromAST(schema, node)
    if (!isInputType(type) || count(inputs[variable.name.value], type)) continue
    return limitError(
      `The objects in the variables could have more than ${mostFields} fields together: send fewer.`,
      'variables',
    )
  }
  return null
}

const isObjectOrList = (type: GraphQLInputType): boolean =>
  isInputObjectType(getNamedType(type)) || isListType(getNullableType(type))

type OnError = NonNullable<Parameters<typeof coerceInputValue>[2]>

/** Says what is wrong with a variable, without the value. */
function textOf(
  name: string,
  path: readonly (string | number)[],
  { message }: GraphQLError,
): string {
  const members = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  const place = members === '' ? '' : ` at "${name}${members}"`
  return `Variable "$${name}" is wrong${place}: ${message.replace(/( value): .*$/s, '$1.')}`
}
