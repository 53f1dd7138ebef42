import type { Connection, RawRow } from '../../database/types.js'
import { conflict, forbidden, HttpError, invalid } from '../../errors.js'
import {
  type Access,
  accessTo,
  ask,
  maySeeEntry,
  passes,
  visibleRows,
} from '../../policy/access.js'
import type { Row } from '../../model/definition.js'
import { describeAll } from '../../policy/parse-condition.js'
import { type Entity, targetOf } from '../../model/entity.js'
import { foreignErrors } from '../relations/foreign-keys.js'
import { sentence } from '../../input/messages.js'
import { own } from '../../model/own.js'
import { readIds, unknownIds } from '../pivots/pivot-input.js'
import { rowsPlan } from '../pivots/pivot-sql.js'
import { run } from '../../sql/statement-cache.js'
import { meaningOf } from '../../operations/denied.js'
import type { HasRelated } from '../relations/relations.js'
import { decodeRow, partsOf, rowObject } from '../../operations/row-decoder.js'
import { validate } from '../../input/validation.js'
import { updatePlan } from '../../operations/write-sql.js'
import { fillValues, merged, stamped, storable } from '../../operations/write-values.js'

/** Children of a hasMany relation that a write gives to the record it is about. */
export interface ChildList {
  /** What the list is called in the body: `comment_ids`. */
  readonly name: string
  /** Key of the relation. */
  readonly relation: string
  readonly ids: readonly unknown[]
}

/** Children that exist, and that the user may change. */
export interface Children {
  readonly name: string
  readonly access: Access
  readonly relation: HasRelated
  readonly ids: readonly (number | string)[]
  readonly rows: readonly Row[]
}

/**
 * The children that lists name, all of them visible and changeable by their own update policy, or
 * the refusal: 403, or 422 with the ids that are not there. Lists of a relation that this user may
 * not see or write, and of a column that no request may write, change nothing.
 */
export async function readChildren(
  access: Access,
  lists: readonly ChildList[],
  gates: 'canStore' | 'canUpdate',
): Promise<readonly Children[]> {
  const { request, entity } = access
  const found: Children[] = []
  for (const { name, relation: key, ids: given } of lists) {
    const link = entity.links.get(key)
    if (link?.relation.kind !== 'hasMany' || !maySeeEntry(access, link)) continue
    if (!passes(entity.definition.policy[gates], key, request.user)) continue
    const { relation } = link
    const target = accessTo(request, targetOf(link))
    const { rules, policy } = target.entity.definition
    if (own(rules, relation.foreignKey) === undefined) continue
    const { ids, impossible, problem } = readIds(target.entity.id, name, { [name]: given }, true)
    if (problem !== null) throw invalid({ [name]: [problem] })
    if (ids.length + impossible.length === 0) continue
    if (!passes(policy.canUpdate, relation.foreignKey, request.user)) throw forbidden()
    const rows = await changeable(target, name, ids, impossible)
    found.push({ name, access: target, relation, ids, rows })
  }
  return found
}

/** Policy first, then what is not there. */
async function changeable(
  target: Access,
  name: string,
  ids: readonly (number | string)[],
  impossible: readonly string[],
): Promise<readonly Row[]> {
  const rows = await rowsOf(target, [{ id: { in: ids } }, ...(await writers(target))])
  if (rows.length === ids.length && impossible.length === 0) return rows
  const visible = await rowsOf(target, [{ id: { in: ids } }, await visibleRows(target)])
  if (visible.length > rows.length) throw forbidden()
  const there = new Set(visible.map(({ id }) => id))
  const unknown = [...ids.filter((id) => !there.has(id)), ...impossible]
  throw invalid({ [name]: [unknownIds(name, unknown)] })
}

const writers = async (access: Access) => [await visibleRows(access), await ask(access, 'update')]

async function rowsOf({ entity }: Access, conditions: readonly unknown[]): Promise<Row[]> {
  const filter = describeAll(entity, conditions)
  if (filter.key === 'false') return []
  const { prepared, selection } = entity.plans.get(`rows|null|${filter.key}`, () =>
    rowsPlan(entity, filter, null),
  )
  const rows = await run(entity.database, prepared, [filter])
  return rows.map((raw) => rowObject(selection, decodeRow(selection, raw)))
}

/** One UPDATE of a transaction: the same values for all ids. */
export interface ChildChange {
  readonly children: Children
  readonly parent: number | string
  readonly ids: readonly (number | string)[]
  readonly values: Row
  readonly columns: readonly string[]
  readonly stored: readonly unknown[]
}

/**
 * What giving the children to a record changes. Their hooks are asked here, outside the
 * transaction, so that they may read and write what they like.
 */
export async function childChanges(
  all: readonly Children[],
  parent: number | string,
): Promise<readonly ChildChange[]> {
  const changes: ChildChange[] = []
  for (const children of all) {
    const { hooks } = children.access.entity.definition
    const isSame = hooks?.beforeUpdate === undefined && hooks?.fill === undefined
    if (isSame) changes.push(await changeOf(children, parent, null))
    else for (const row of children.rows) changes.push(await changeOf(children, parent, row))
  }
  return changes
}

/** Of one child, or (null) of all alike. */
async function changeOf(
  children: Children,
  parent: number | string,
  row: Row | null,
): Promise<ChildChange> {
  const { access, relation, name } = children
  const { entity, request } = access
  const input = { [relation.foreignKey]: parent }
  const { values: given, errors } = validate(access, input, 'canUpdate', 'part')
  if (errors.size > 0) throw invalid({ [name]: [...errors.values()].flat() })
  const { hooks } = entity.definition
  const context = { user: request.user }
  const returned = row === null ? null : await hooks?.beforeUpdate?.(context, { ...row }, given)
  const values = stamped(entity, await fillValues(access, merged(given, returned)), 'update')
  const columns = [...entity.columns.keys()].filter((column) => Object.hasOwn(values, column))
  const stored = await storable(entity, values, columns)
  const ids = row === null ? children.ids : [idOf(row)]
  return { children, parent, ids, values, columns, stored }
}

/** Rows hold what `readId` gave. */
const idOf = (row: Row) => row['id'] as number | string

/** A child as it was written, for the hooks that come after. */
export interface Changed {
  readonly access: Access
  readonly row: Row
}

/**
 * Gives the children to the record, inside its transaction. Who may is in the WHERE; a child that
 * another request took away meanwhile is 409, and nothing was written.
 */
export async function writeChildren(
  changes: readonly ChildChange[],
  connection: Connection,
): Promise<readonly Changed[]> {
  const changed: Changed[] = []
  for (const change of changes) {
    const { access, relation, name } = change.children
    const key = { [relation.foreignKey]: change.parent }
    if ((await foreignErrors(access, key, connection)).size > 0) {
      throw invalid({ [name]: [sentence(name, 'would belong to a record that you cannot see')] })
    }
    for (const row of await sendChange(change, connection)) changed.push({ access, row })
  }
  return changed
}

async function sendChange(change: ChildChange, connection: Connection): Promise<readonly Row[]> {
  const { ids, values, columns, stored, children } = change
  const { access, name } = children
  const { entity } = access
  const filter = describeAll(entity, [{ id: { in: ids } }, ...(await writers(access))])
  const needs = entity.definition.hooks?.afterUpdate === undefined ? [] : [...entity.columns.keys()]
  const want = { shown: { key: '', names: [] }, needs, flags: null }
  const key = `children|${columns.join()}|${needs.length}|${filter.key}`
  const { prepared, selection } = entity.plans.get(key, () =>
    updatePlan(entity, want, columns, filter),
  )
  const parts = [...partsOf(filter, null), { key: '', values: stored }]
  const rows: RawRow[] = await run(connection, prepared, parts).catch((error: unknown) =>
    refused(entity, values, name, error),
  )
  if (rows.length < ids.length) throw conflict('The records were changed meanwhile.')
  return rows.map((raw) => rowObject(selection, decodeRow(selection, raw)))
}

/** What the database refuses of a child is told of the list that named it. */
function refused(entity: Entity, values: Row, name: string, error: unknown): never {
  const told = meaningOf(entity, values, error)
  if (!(told instanceof HttpError) || told.errors === undefined) throw told
  throw invalid({ [name]: Object.values(told.errors).flat() })
}

/** The hooks of children, when all is written. */
export async function afterChildren(changed: readonly Changed[]): Promise<void> {
  for (const { access, row } of changed) {
    const { hooks } = access.entity.definition
    await hooks?.afterUpdate?.({ user: access.request.user }, row)
  }
}
