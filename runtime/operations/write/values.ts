import type { Parameter } from '../../database/types.js'
import { forbidden, unauthenticated } from '../../errors.js'
import { canonical } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, PlannedRecord, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { newUlid } from '../../model/new-ulid.js'
import { newUuid } from '../../model/new-uuid.js'
import { userId } from '../../policy/access.js'
import { passes } from '../../policy/gates.js'
import { contextOf } from '../afterwards.js'
import { addValues } from './steps.js'

/** The values of one record, in the order of the columns that a statement writes. */
export type Values = readonly Parameter[]

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
export function stamped(record: PlannedRecord, values: Row): Row {
  const { columns, id } = record.access.entity
  const now = new Date().toISOString()
  const stamps = addValues(record, Object.assign({}, values))
  if (columns.has('updated_at')) stamps['updated_at'] = now
  if (record.write.operation !== 'store') return stamps
  if (columns.has('created_at')) stamps['created_at'] = now
  const makes = id.storage.key?.makes ?? null
  if (makes !== null) stamps['id'] ??= makes === 'uuid' ? newUuid() : newUlid()
  return stamps
}

/** The values of the columns, in their order, as the database holds them. */
export async function encodedValues(
  { entity, extensions }: Access,
  values: Row,
  columns: readonly string[],
): Promise<Values> {
  const stores = extensions.flatMap(({ says }) => says?.stores ?? [])
  const encoded: Parameter[] = []
  for (const name of columns) {
    const column = columnNamed(entity, name)
    let value: unknown = canonical(column, getOwn(values, name))
    if (value !== null && stores.length > 0) {
      const store = stores.find((each) => each[column.kind] !== undefined)?.[column.kind]
      if (store !== undefined) value = await store(value)
    }
    encoded.push(value === null ? null : column.encode(value))
  }
  return encoded
}
