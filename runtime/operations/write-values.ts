import type { Connection } from '../database/types.js'
import { forbidden, invalid, unauthenticated } from '../errors.js'
import { filledErrors, type Input, validate } from '../input/validation.js'
import { canonical } from '../model/columns.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { passes, userId } from '../policy/access.js'

export interface InputOptions {
  readonly gates: 'canStore' | 'canUpdate'
  readonly extent: 'whole' | 'part'
  /** The record to change, or null for a new one. */
  readonly id: number | string | null
  /** Its row as it is now. */
  readonly stored?: () => Promise<Row | null>
  readonly connection?: Connection
}

/**
 * What a body may write, or all that is wrong with it. Below a parent, the columns that make a
 * record its own are the parent's, whatever the body says.
 */
export async function readInput(
  access: Access,
  input: Input,
  { gates, extent, id, stored }: InputOptions,
): Promise<{ readonly values: Row } | { readonly error: Error }> {
  const { relations, credentials } = access.entity
  const parent = access.parent?.columns
  const whole: Input =
    parent === undefined ? input : Object.assign(Object.create(null) as Input, input, parent)
  const { values, errors } = validate(access, whole, gates, extent)
  const named = filledErrors(access, input, gates)
  const foreign = new Map(await relations?.foreignErrors(access, values))
  if (foreign.size > 0 && stored !== undefined) {
    for (const column of unchanged(access, values, await stored())) foreign.delete(column)
  }
  const passwords = (await credentials?.inputErrors(access, input, id)) ?? []
  const all = [errors, named, foreign, passwords].flatMap((each) => [...each])
  return all.length === 0 ? { values } : { error: invalid(new Map(all)) }
}

/**
 * Keys that stay what they are and that responses show: who read a record may send it back, whether
 * they see what it points at or not.
 */
function unchanged({ entity, shown }: Access, values: Row, row: Row | null): string[] {
  return [...(entity.relations?.foreignColumns ?? [])].filter((name) => {
    const value = getOwn(values, name)
    if (row === null || value === undefined || !shown.includes(name)) return false
    return canonical(columnNamed(entity, name), value) === row[name]
  })
}

/**
 * The columns a new record starts with: defaults, then the body, the parent, the signed-in user.
 * Below another user's record, what must be the signed-in user's cannot be made, and below any
 * record nothing whose gate keeps the user from pointing at it.
 */
export function startingValues({ entity, request, parent }: Access, input: Row): Row {
  const { policy, defaults, relations } = entity
  const isOpen = (name: string) => passes(policy.canStore, name, request.user)
  if (!Object.keys(parent?.columns ?? {}).every(isOpen)) {
    throw request.user === null ? unauthenticated() : forbidden()
  }
  const values: Row = Object.assign({}, defaults, input, parent?.columns)
  for (const name of relations?.filledColumns ?? []) {
    const id = userId(request)
    if (id === null && !columnNamed(entity, name).nullable) throw unauthenticated()
    const above = getOwn(parent?.columns ?? {}, name)
    if (above !== undefined && above !== id) throw forbidden()
    values[name] = id
  }
  return values
}

/** Merges what the hooks fill; where one answers nothing, the column stays as it is. */
export async function fillValues(
  { entity, request }: Access,
  values: Row,
  moment: 'store' | 'update',
): Promise<Row> {
  const { fill, fillOnStore } = entity.hooks ?? {}
  const fills = moment === 'store' ? Object.assign({}, fillOnStore, fill) : fill
  if (fills === undefined) return values
  const context = { user: request.user }
  const filled: Row = Object.assign({}, values)
  for (const name of Object.keys(fills)) {
    const value = await getOwn(fills, name)?.(context, filled)
    if (value !== undefined) filled[name] = value
  }
  return filled
}

/** The values with what a before-hook returned over them; it need not return any. */
export function merged(values: Row, returned: unknown): Row {
  return typeof returned === 'object' ? Object.assign({}, values, returned) : values
}

/** Columns every new record gets from the server, and every changed one. */
export function stamped(entity: Entity, values: Row, moment: 'store' | 'update'): Row {
  const now = new Date().toISOString()
  const stamps: Row = Object.assign({}, values, entity.folded?.stored(values))
  if (entity.columns.has('updated_at')) stamps['updated_at'] = now
  if (moment === 'update') return stamps
  if (entity.columns.has('created_at')) stamps['created_at'] = now
  if (entity.newId !== undefined) stamps['id'] = entity.newId()
  return stamps
}

/** The values of the columns to write, in their order, as rows hold them. */
export async function toStore(
  entity: Entity,
  values: Row,
  columns: readonly string[],
): Promise<unknown[]> {
  const stored: unknown[] = []
  for (const name of columns) {
    const column = columnNamed(entity, name)
    const value = canonical(column, getOwn(values, name))
    const isPlain = column.kind === 'password' && typeof value === 'string'
    stored.push(isPlain ? await hashed(entity, value) : value)
  }
  return stored
}

function hashed({ key, hashPassword }: Entity, password: string): Promise<string> {
  if (hashPassword !== undefined) return hashPassword(password)
  throw new TypeError(`'${key}' has no hashPassword`)
}
