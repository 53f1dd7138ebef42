import type { Connection } from '../database/types.js'
import { DeadlockError } from '../database/unavailable.js'
import { invalid, notFound, unauthenticated } from '../errors.js'
import { type Access, accessTo, maySeeEntry, visibleRows } from './access.js'
import { canonical, type Column } from './columns.js'
import type { Row } from './definition.js'
import { type Described, describe, describeAll } from './describe.js'
import { type Entity, targetOf } from './entity.js'
import { readId } from './ids.js'
import { own } from './own.js'
import { newPivotValues, readIds, readPivotValues, unknownIds } from './pivot-input.js'
import {
  attachPlan,
  detachPlan,
  isPivotLink,
  type Lock,
  type PivotLink,
  pivotsPlan,
  rowsPlan,
  type Side,
} from './pivot-plan.js'
import { hasGate, type PivotOperation, requireGate, requirePivot } from './pivot-policy.js'
import { type Part, run } from './plan.js'
import type { AnyRepository } from './repository.js'
import { decodeRow, rowObject } from './selection.js'
import { fieldErrors, type Input } from './validation.js'

/** What attach, sync and detach end in. */
export type PivotOutcome =
  /** The rows between that were asked for, as JSON shows them. */
  | { readonly pivots: readonly Row[] }
  /** What a callback of the hooks returned, which did the work instead. */
  | { readonly replaced: unknown }

/** One request, read and not yet agreed to. */
interface Change {
  readonly operation: PivotOperation
  readonly access: Access
  readonly target: Access
  readonly link: PivotLink
  readonly parent: Described
  /** Which related records the user may see, and those of them that the body names. */
  readonly visible: Described
  readonly related: Described
  readonly ids: readonly (number | string)[]
  readonly impossible: readonly string[]
  readonly values: Row
  readonly errors: ReadonlyMap<string, string[]>
}

/** What the database holds: the parent, the related records of the body, and rows between. */
interface Seen {
  readonly row: Row
  readonly related: ReadonlyMap<unknown, Row>
  /** Rows that would be removed, where something must be asked about them. */
  readonly removed: readonly Row[]
}

/**
 * `attach`, `sync` and `detach`: everything is agreed to before anything is written. Policies are
 * asked outside the transaction, so that they may read what they like; inside it, all rows are read
 * again and held, and the policies asked again only if one of them has changed.
 */
export async function changePivots(
  operation: PivotOperation,
  repository: AnyRepository,
  access: Access,
  idText: string,
  key: string,
  input: Input,
): Promise<PivotOutcome> {
  const change = await readChange(operation, access, idText, key, input)
  const { database } = access.entity
  const seen = await look(change, database, 'read')
  await authorize(change, seen)
  const replacement = callbackOf(change)
  if (replacement !== undefined) {
    return { replaced: await replacement(requestOf(change, seen), repository, seen.row) }
  }
  return retried(() =>
    database.transaction(async (connection) => {
      const held = await look(change, connection, 'hold')
      if (!isSame(seen, held)) await authorize(change, held)
      return { pivots: await write(change, held, connection) }
    }),
  )
}

/** PostgreSQL ends one of two transactions that wait for each other; nothing of it was written. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DeadlockError) || left === 0) throw error
    }
  }
}

async function readChange(
  operation: PivotOperation,
  access: Access,
  idText: string,
  key: string,
  input: Input,
): Promise<Change> {
  const { entity, request } = access
  const link = entity.links.get(key)
  if (link === undefined || !isPivotLink(link) || !maySeeEntry(access, link)) throw notFound()
  const target = accessTo(request, targetOf(link))
  const id = readId(entity.id, idText)
  const parent = describeAll(entity, [{ id }, id !== null && (await visibleRows(access))])
  if (id !== null && parent.key === 'false' && request.user === null) throw unauthenticated()
  const show = await visibleRows(target)
  const { ids, impossible, problem } = readIds(target.entity.id, key, input)
  const body = operation === 'detach' ? null : readPivotValues(link.relation, key, input)
  const errors = new Map(body?.errors)
  if (problem !== null) errors.set(key, [problem])
  return {
    ...{ operation, access, target, link, parent, ids, impossible, errors },
    visible: describe(target.entity, show),
    related: describeAll(target.entity, [{ id: { in: ids } }, show]),
    values: body?.values ?? {},
  }
}

/** Reads what the policies are asked about; `hold` keeps others from changing it meanwhile. */
async function look(change: Change, connection: Connection, how: 'read' | 'hold'): Promise<Seen> {
  const { access, target, parent, related } = change
  const isHeld = how === 'hold'
  const [row] = await rowsOf(connection, access.entity, parent, isHeld ? 'parent' : null)
  if (row === undefined) throw notFound()
  const found =
    change.ids.length === 0
      ? []
      : await rowsOf(connection, target.entity, related, isHeld ? 'related' : null)
  return {
    row,
    related: new Map(found.map((each) => [each['id'], each])),
    removed: await removedPivots(change, connection, row, isHeld),
  }
}

async function rowsOf(
  connection: Connection,
  entity: Entity,
  filter: Described,
  lock: Lock,
): Promise<Row[]> {
  if (filter.key === 'false') return []
  const { prepared, selection } = entity.plans.get(`rows|${lock}|${filter.key}`, () =>
    rowsPlan(entity, filter, lock),
  )
  const rows = await run(connection, prepared, [filter])
  return rows.map((raw) => rowObject(selection, decodeRow(selection, raw)))
}

/** Rows between that would go: read where a gate is asked about them, or a server must hold them. */
async function removedPivots(
  change: Change,
  connection: Connection,
  row: Row,
  isHeld: boolean,
): Promise<Row[]> {
  const { operation, access, link } = change
  if (operation === 'attach') return []
  const isAsked = hasGate(access, 'detach', link.key)
  const isServer = link.source.dialect === 'postgresql'
  if (!isAsked && !(isHeld && isServer)) return []
  const side: Side = operation === 'detach' ? 'named' : isHeld && isServer ? 'both' : 'others'
  const { plans } = link.source
  const plan = plans.get(`pivots|${link.key}|${side}|${isHeld}|${change.visible.key}`, () =>
    pivotsPlan(link, change.visible, side, isHeld),
  )
  const rows = await run(connection, plan, ownParts(change, row))
  const pivots = rows.map((raw) => pivotRow(link, row, raw))
  if (!isAsked) return []
  const kept: ReadonlySet<unknown> = new Set(operation === 'sync' ? change.ids : [])
  return pivots.filter((pivot) => !kept.has(pivot[link.relation.pivot.relatedKey]))
}

/** Policy first, then what is wrong with the body, then the gates, which are asked about values. */
async function authorize(change: Change, seen: Seen): Promise<void> {
  const { operation, access, link, ids, impossible, errors } = change
  if (operation === 'sync') {
    await requirePivot(access, 'sync', link.key, [seen.row, ids])
  } else {
    for (const id of ids) {
      const related = seen.related.get(id)
      if (related === undefined) continue
      await requirePivot(access, operation, link.key, [seen.row, related])
    }
  }
  const unknown = [...ids.filter((id) => !seen.related.has(id)), ...impossible]
  const all = new Map(errors)
  if (unknown.length > 0) all.set(link.key, [unknownIds(link.key, unknown)])
  if (all.size > 0) throw invalid(fieldErrors(all))
  if (operation !== 'detach') {
    await requireGate(access, operation, link.key, newPivots(change, seen.row))
  }
  await requireGate(access, 'detach', link.key, seen.removed)
}

/** The pivots of the body as rows between, for gates: values given over the defaults. */
function newPivots({ link, ids, values }: Change, row: Row): Row[] {
  const { relatedKey } = link.relation.pivot
  const filled = newPivotValues(link.relation, values)
  return ids.map((id) => ({ ...ownKeys(link, row), [relatedKey]: id, ...filled }))
}

function ownKeys({ relation, source }: PivotLink, row: Row): Row {
  const { foreignKey, morphType, foreignKind } = relation.pivot
  const id = foreignKind === 'text' ? String(row['id']) : row['id']
  return { ...(morphType === undefined ? {} : { [morphType]: source.key }), [foreignKey]: id }
}

/** Whether nothing the policies were asked about has changed since. */
function isSame(one: Seen, two: Seen): boolean {
  const text = ({ row, related, removed }: Seen) =>
    JSON.stringify([row, [...related.values()].toSorted(byId), removed])
  return text(one) === text(two)
}

const byId = (one: Row, two: Row) => (String(one['id']) < String(two['id']) ? -1 : 1)

function callbackOf({ operation, access, link }: Change) {
  if (operation === 'sync') return undefined
  const hooks = access.entity.definition.hooks
  const callbacks = operation === 'attach' ? hooks?.attachCallback : hooks?.detachCallback
  const callback = own(callbacks, link.key)
  return typeof callback === 'object' ? callback.__invoke.bind(callback) : callback
}

function requestOf({ access, link, ids, values }: Change, { related }: Seen) {
  const rows = ids.map((id) => related.get(id))
  return { user: access.request.user, relation: link.key, ids, related: rows, values }
}

/** One statement for each of: removing, adding. */
async function write(change: Change, { row }: Seen, connection: Connection): Promise<Row[]> {
  const { operation, link, visible } = change
  const { plans } = link.source
  if (operation !== 'attach') {
    const side = operation === 'detach' ? 'named' : 'others'
    const plan = plans.get(`detach|${link.key}|${side}|${visible.key}`, () =>
      detachPlan(link, visible, side),
    )
    await run(connection, plan, ownParts(change, row))
  }
  return operation === 'detach' ? [] : addPivots(change, row, connection)
}

async function addPivots(change: Change, row: Row, connection: Connection): Promise<Row[]> {
  const { link, ids, values } = change
  const filled = newPivotValues(link.relation, values)
  const columns = [...link.pivot.values()].filter(({ name }) => Object.hasOwn(filled, name))
  const updated = columns.filter(({ name }) => Object.hasOwn(values, name))
  const shape = `${names(columns)}|${names(updated)}`
  const plan = link.source.plans.get(`attach|${link.key}|${shape}`, () =>
    attachPlan(link, columns, updated),
  )
  const stored = columns.map((column) => canonical(column, own(filled, column.name)))
  const rows = await run(connection, plan, ownParts(change, row, stored))
  const { relatedKey } = link.relation.pivot
  const pivots = new Map(
    rows.map((raw) => {
      const pivot = pivotRow(link, row, raw)
      return [pivot[relatedKey], shownPivot(link, pivot)]
    }),
  )
  return ids.flatMap((id) => pivots.get(id) ?? [])
}

const names = (columns: readonly Column[]) => columns.map(({ name }) => name).join()

function ownParts(change: Change, row: Row, values: readonly unknown[] = []): Part[] {
  return [change.visible, { key: '', values: [row['id'], change.ids, ...values] }]
}

/** A row between, as policies see it. */
function pivotRow(link: PivotLink, row: Row, raw: readonly unknown[]): Row {
  const pivot: Row = { ...ownKeys(link, row), [link.relation.pivot.relatedKey]: raw[0] }
  let at = 1
  for (const { name, decode } of link.pivot.values()) {
    const stored = raw[at++]
    pivot[name] = stored === null || decode === null ? stored : decode(stored)
  }
  return pivot
}

/** The same as JSON: keys are text there, hidden fields are left out. */
function shownPivot({ relation, shownPivot: shown }: PivotLink, pivot: Row): Row {
  const { foreignKey, morphType, relatedKey } = relation.pivot
  return {
    ...(morphType === undefined ? {} : { [morphType]: pivot[morphType] }),
    [foreignKey]: String(pivot[foreignKey]),
    [relatedKey]: String(pivot[relatedKey]),
    ...Object.fromEntries(shown.map(({ name }) => [name, pivot[name]])),
  }
}
