import type { Connection } from '../../database/types.js'
import { notFound, unauthenticated } from '../../errors.js'
import { type Access, accessTo, maySeeEntry, visibleRows } from '../../policy/access.js'
import type { Row } from '../../model/definition.js'
import { type Described, describe, describeAll } from '../../policy/parse-condition.js'
import { type Entity, targetOf } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { readIds, readPivotValues } from './pivot-input.js'
import {
  isPivotLink,
  type Lock,
  type PivotLink,
  pivotsPlan,
  rowsPlan,
  type Side,
} from './pivot-sql.js'
import { hasGate, type PivotOperation } from './pivot-policy.js'
import { pivotRow } from './pivot-row.js'
import { type Part, run } from '../../sql/statement-cache.js'
import { decodeRow, rowObject } from '../../operations/row-decoder.js'
import type { Input } from '../../input/validation.js'

/** One request, read and not yet agreed to. */
export interface Change {
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
export interface Seen {
  readonly row: Row
  readonly related: ReadonlyMap<unknown, Row>
  /** Rows that would be removed, where something must be asked about them. */
  readonly removed: readonly Row[]
}

/** Reads a request; 404 where there is no such relation, 401 where nobody sees anything. */
export async function readChange(
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
  const { ids, impossible, problem } = readIds(target.entity.id, key, input, operation === 'sync')
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
export async function look(
  change: Change,
  connection: Connection,
  how: 'read' | 'hold',
): Promise<Seen> {
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

/** The conditions and values of every statement on the table between. */
export function ownParts(change: Change, row: Row, values: readonly unknown[] = []): Part[] {
  return [change.visible, { key: '', values: [row['id'], change.ids, ...values] }]
}
