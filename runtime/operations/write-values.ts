import type { Connection } from '../database/types.js'
import { forbidden, invalid, unauthenticated } from '../errors.js'
import { filledErrors, type Input, validate } from '../input/validation.js'
import { canonical } from '../model/columns.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Row, Write, WriteGates } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { newUlid } from '../model/new-ulid.js'
import { newUuid } from '../model/new-uuid.js'
import { userId } from '../policy/access.js'
import { passes } from '../policy/gates.js'
import { contextOf } from './afterwards.js'
import { addColumns, checked } from './extend-write.js'

export interface InputOptions {
  readonly extent: 'whole' | 'part'
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
  asked: Write,
  { extent, stored }: InputOptions,
): Promise<{ readonly values: Row } | { readonly error: Error }> {
  const { relations } = access.entity
  const input = asked.body
  const gates = gatesOf(asked.operation)
  const parent = access.parent?.columns
  const whole: Input =
    parent === undefined ? input : Object.assign(Object.create(null) as Input, input, parent)
  const { values, errors } = validate(access, whole, gates, extent)
  const named = filledErrors(access, input, gates)
  const foreign = new Map(await relations?.foreignErrors(access, values))
  if (foreign.size > 0 && stored !== undefined) {
    for (const column of unchanged(access, values, await stored())) foreign.delete(column)
  }
  const strange = access.entity.settings.strictBodies?.ofWrite(access, asked) ?? []
  const all = [...errors, ...named, ...foreign, ...strange, ...(await checked(access, asked))]
  return all.length === 0 ? { values } : { error: invalid(new Map(all)) }
}

/** The gates of the policy that a write asks. */
export const gatesOf = (operation: Write['operation']): WriteGates =>
  operation === 'store' ? 'canStore' : 'canUpdate'

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
  access: Access,
  values: Row,
  moment: 'store' | 'update',
): Promise<Row> {
  const { fill, fillOnStore } = access.entity.hooks ?? {}
  const fills = moment === 'store' ? Object.assign({}, fillOnStore, fill) : fill
  if (fills === undefined) return values
  const context = contextOf(access)
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
export function stamped(access: Access, values: Row, asked: Write): Row {
  const { columns, id } = access.entity
  const now = new Date().toISOString()
  const stamps = addColumns(access, Object.assign({}, values), asked)
  if (columns.has('updated_at')) stamps['updated_at'] = now
  if (asked.operation !== 'store') return stamps
  if (columns.has('created_at')) stamps['created_at'] = now
  const makes = id.storage.key?.makes ?? null
  if (makes !== null) stamps['id'] ??= makes === 'uuid' ? newUuid() : newUlid()
  return stamps
}

/** The values of the columns to write, in their order, as rows hold them. */
export async function toStore(
  { entity, extensions }: Access,
  values: Row,
  columns: readonly string[],
): Promise<unknown[]> {
  const stored: unknown[] = []
  for (const name of columns) {
    const column = columnNamed(entity, name)
    const value = canonical(column, getOwn(values, name))
    const extension = extensions.find((each) => each.stored?.[column.kind] !== undefined)
    const store = extension?.stored?.[column.kind]
    stored.push(store === undefined || value === null ? value : await store(value))
  }
  return stored
}
