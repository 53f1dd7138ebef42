import { forbidden, invalid, unauthenticated } from '../errors.js'
import { type Access, passes } from '../policy/access.js'
import { canonical } from '../model/columns.js'
import { passwordErrors } from '../features/sign-in/credential-fields.js'
import type { Row } from '../model/definition.js'
import { columnNamed, type Entity } from '../model/entity.js'
import { foreignErrors } from '../features/relations/foreign-keys.js'
import { newUuid } from '../model/ids.js'
import { fold } from '../features/folding/fold.js'
import { own } from '../model/own.js'
import { fieldErrors, type Input, validate } from '../input/validation.js'

/**
 * What a body may write, or all that is wrong with it. Below a parent, the columns that make a
 * record its own are the parent's, whatever the body says.
 */
export async function readInput(
  access: Access,
  input: Input,
  { gates, extent, id, stored }: Reading,
): Promise<{ readonly values: Row } | { readonly error: Error }> {
  const parent = access.parent?.columns ?? {}
  const { values, errors } = validate(access, { ...input, ...parent }, gates, extent)
  const foreign = await foreignErrors(access, values)
  if (foreign.size > 0 && stored !== undefined) {
    for (const column of unchanged(access, values, await stored())) foreign.delete(column)
  }
  const passwords = await passwordErrors(access, input, id)
  if (errors.size + foreign.size + passwords.size === 0) return { values }
  return { error: invalid(fieldErrors(new Map([...errors, ...foreign, ...passwords]))) }
}

export interface Reading {
  readonly gates: 'canStore' | 'canUpdate'
  readonly extent: 'whole' | 'part'
  /** The record to change, or null for a new one. */
  readonly id: number | string | null
  /** Its row as it is now. */
  readonly stored?: () => Promise<Row | null>
}

/**
 * Keys that stay what they are and that responses show: who read a record may send it back, whether
 * they see what it points at or not.
 */
function unchanged({ entity, shown }: Access, values: Row, row: Row | null): string[] {
  return [...entity.foreign.keys()].filter((name) => {
    const value = own(values, name)
    if (row === null || value === undefined || !shown.names.includes(name)) return false
    return canonical(columnNamed(entity, name), value) === row[name]
  })
}

/**
 * The columns a new record starts with: defaults, then the body, the parent, the signed-in user.
 * Below another user's record, what must be the signed-in user's cannot be made, and below any record
 * nothing whose gate keeps the user from pointing at it.
 */
export function startingValues({ entity, request, parent }: Access, input: Row): Row {
  const { canStore } = entity.definition.policy
  const isOpen = (name: string) => passes(canStore, name, request.user)
  if (!Object.keys(parent?.columns ?? {}).every(isOpen)) {
    throw request.user === null ? unauthenticated() : forbidden()
  }
  const values: Row = { ...entity.definition.defaults, ...input, ...parent?.columns }
  for (const { relation } of entity.links.values()) {
    if (relation.kind !== 'belongsTo' || relation.filledBy !== 'user') continue
    const id = userId(request.user)
    const { nullable } = columnNamed(entity, relation.foreignKey)
    if (id === null && !nullable) throw unauthenticated()
    const above = own(parent?.columns ?? {}, relation.foreignKey)
    if (above !== undefined && above !== id) throw forbidden()
    values[relation.foreignKey] = id
  }
  return values
}

function userId(user: unknown): unknown {
  return typeof user === 'object' && user !== null && 'id' in user ? user.id : null
}

/** Merges what the `fill` hooks answer, whatever the body said. */
export async function fillValues({ entity, request }: Access, values: Row): Promise<Row> {
  const fill = entity.definition.hooks?.fill
  if (fill === undefined) return values
  const context = { user: request.user }
  const filled: Row = { ...values }
  for (const name in fill) filled[name] = await own(fill, name)?.(context, filled)
  return filled
}

/** Merges what a before-hook returned; nothing is fine. */
export function merged(values: Row, returned: unknown): Row {
  return typeof returned === 'object' ? { ...values, ...returned } : values
}

/** Columns every new record gets from the server, and every changed one. */
export function stamped(entity: Entity, values: Row, moment: 'store' | 'update'): Row {
  const now = new Date().toISOString()
  const stamps: Row = { ...values, ...foldedOf(entity, values) }
  if (entity.columns.has('updated_at')) stamps['updated_at'] = now
  if (moment === 'update') return stamps
  if (entity.columns.has('created_at')) stamps['created_at'] = now
  if (entity.id.kind === 'uuid') stamps['id'] = newUuid()
  return stamps
}

/** What is stored folded follows the text it is made of. */
function foldedOf({ definition }: Entity, values: Row): Row {
  const folded: Row = {}
  for (const [name, column] of Object.entries(definition.folded ?? {})) {
    if (column === undefined || !Object.hasOwn(values, name)) continue
    const text = values[name]
    folded[column] = typeof text === 'string' ? fold(text) : null
  }
  return folded
}

/** The values of the columns to write, in their order, as the statement takes them. */
export async function storable(
  entity: Entity,
  values: Row,
  columns: readonly string[],
): Promise<unknown[]> {
  const stored: unknown[] = []
  for (const name of columns) {
    const column = columnNamed(entity, name)
    const value = canonical(column, own(values, name))
    const isPlain = column.kind === 'password' && typeof value === 'string'
    stored.push(isPlain ? await hashed(entity, value) : value)
  }
  return stored
}

function hashed({ key, definition }: Entity, password: string): Promise<string> {
  if (definition.hashPassword !== undefined) return definition.hashPassword(password)
  throw new TypeError(`'${key}' has no hashPassword`)
}
