import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLField } from 'graphql'
import { getOwn } from '../../model/get-own.js'
import type { Values } from '../tested.js'
import { allowed, outcomeOf, type Outcome } from './outcome.js'
import type { Scene } from './scene.js'

export type Kind = 'query' | 'mutation'
export type Field = GraphQLField<unknown, unknown>

type Answer = Outcome | { readonly value: unknown }

interface Reply {
  readonly message?: string
  readonly data?: { readonly it?: unknown } | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions?: {
      readonly code?: string
      readonly errors?: Readonly<Record<string, readonly string[]>>
    }
  }[]
}

const statuses: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_FAILED: 422,
  TOO_MANY_REQUESTS: 429,
}

/** Sends one root field with these arguments, and returns its outcome. */
export async function ask(
  scene: Scene,
  kind: Kind,
  field: Field,
  given: Values,
  pointers: readonly string[] = [],
): Promise<Outcome> {
  const answer = await valueOf(scene, kind, field, given, pointers)
  if (!('value' in answer)) return answer
  // A mutation may have written a record that its writer cannot see.
  return answer.value === null && kind === 'query' ? { is: 'denied', as: '404' } : allowed
}

/** Its value, or how it was denied. */
export async function valueOf(
  { send }: Scene,
  kind: Kind,
  field: Field,
  given: Values,
  pointers: readonly string[] = [],
): Promise<Answer> {
  const query = queryOf(kind, field, given)
  const response = await send('POST', '/graphql', { query, variables: given })
  const { message = '', data, errors } = (await response.json()) as Reply // as GraphQL answers
  const [error] = errors ?? []
  if (error === undefined) {
    return response.ok
      ? { value: data?.it ?? null }
      : outcomeOf(response.status, { message }, pointers)
  }
  const { code = '', errors: fields = {} } = error.extensions ?? {}
  if (code === 'INTERNAL_SERVER_ERROR') {
    throw new Error(`${kind} ${field.name} failed, and the log says why`)
  }
  const status = statuses[code] ?? (response.ok ? 400 : response.status)
  return outcomeOf(status, { message: error.message, errors: fields }, pointers)
}

function queryOf(kind: Kind, { name, args, type }: Field, given: Values): string {
  const used = args.filter((arg) => getOwn(given, arg.name) !== undefined)
  const variables = used.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ')
  const passed = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  const inBrackets = (text: string) => (text === '' ? '' : `(${text})`)
  const asked = `${name}${inBrackets(passed)} ${selection(type)}`
  return `${kind} ${inBrackets(variables)} { it: ${asked} }`
}

function selection(type: Field['type']): string {
  const named = getNamedType(type)
  if (isPage(type)) return '{ data { id } nextCursor }'
  if (isCounted(type)) return '{ count }'
  if (isObjectType(named)) return 'id' in named.getFields() ? '{ id }' : '{ __typename }'
  return 'getTypes' in named ? '{ __typename }' : ''
}

/** Returns true if a field answers groups of records, of which each says how many they are. */
export function isCounted(type: Field['type']): boolean {
  const named = getNamedType(type)
  if (!isObjectType(named) || !isListType(getNullableType(type))) return false
  const { id, count } = named.getFields()
  return id === undefined && count !== undefined && String(getNamedType(count.type)) === 'Int'
}

/** Returns the count of the one group, of all. */
export const countIn = (value: unknown): unknown =>
  Array.isArray(value) ? (value as readonly { readonly count: number }[])[0]?.count : value

/** A page of records that says where the next one begins. */
export interface FoundPage {
  readonly data: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

/** Returns true if a field answers a page. */
export function isPage(type: Field['type']): boolean {
  const named = getNamedType(type)
  if (!isObjectType(named)) return false
  const { data, nextCursor } = named.getFields()
  if (data === undefined || nextCursor === undefined) return false
  const listed = getNamedType(data.type)
  return (
    isListType(getNullableType(data.type)) && isObjectType(listed) && 'id' in listed.getFields()
  )
}
