import type { Connection } from '../../database/types.js'
import { notFound, unauthenticated } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import type { Access, Entity, Row } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Test } from '../../model/sql-test.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { visibleRows, visibleWithId } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, raw, read, sql, table } from '../../sql/sql.js'
import { accessBehind, linkOf, maySeeEntry } from '../relations/entries.js'
import { readIds } from '../relations/named-ids.js'
import { readPivots } from '../relations/pivot-rows.js'
import { isPivotLink, type PivotLink } from '../relations/relation-sql.js'
import { pivotNames, readPivotValues } from './pivot-input.js'
import { hasGate, type PivotOperation } from './pivot-policy.js'

/** One request, read and not yet authorized. */
export interface PivotChange {
  readonly operation: PivotOperation
  readonly access: Access
  readonly link: PivotLink
  readonly target: Entity
  readonly parent: Test
  /** Filters related records: those that the user may see, and those that the body names. */
  readonly visible: Test
  readonly related: Test
  readonly ids: readonly (number | string)[]
  readonly impossible: readonly string[]
  /** The ids again, by the pivot fields that are written with them. */
  readonly groups: readonly PivotGroup[]
  readonly errors: ReadonlyMap<string, string[]>
}

export interface PivotGroup {
  readonly ids: readonly (number | string)[]
  readonly values: Row
}

/** Rows of the database: the parent, the related records of the body, and the pivot rows. */
export interface Seen {
  readonly row: Row
  readonly related: ReadonlyMap<unknown, Row>
  /** Rows that are there already and would be written, where something must be asked about them. */
  readonly present: readonly Row[]
  /** Rows that would be removed, where something must be asked about them. */
  readonly removed: readonly Row[]
}

/** Reads a request; 404 where there is no such relation, 401 where no user sees nothing at all. */
export async function readChange(
  operation: PivotOperation,
  access: Access,
  idText: string,
  key: string,
  input: Input,
): Promise<PivotChange> {
  const { entity, request } = access
  const link = linkOf(entity, key)
  if (link === undefined || !isPivotLink(link) || !maySeeEntry(access, link)) throw notFound()
  const behind = accessBehind(access, link)
  const target = behind.entity
  const id = readId(entity.id, idText)
  const parent = id === null ? false : await visibleWithId(access, id)
  if (id !== null && parent === false && request.user === null) throw unauthenticated()
  const { ids, impossible, problem } = readIds(target.id, key, input, operation === 'sync')
  const body = operation === 'detach' ? null : readPivotValues(link.relation, key, input)
  const errors = new Map(body?.errors)
  if (problem !== null) errors.set(key, [problem])
  const takes = [key, ...(operation === 'detach' ? [] : pivotNames(link.relation, key))]
  for (const each of entity.settings.strictBodies?.ofForm(input, takes) ?? []) errors.set(...each)
  return {
    visible: answerTest(target, await visibleRows(behind)),
    related: await visibleWithId(behind, { in: ids }),
    groups: [{ ids, values: body?.values ?? {} }],
    ...{ operation, access, link, target, parent, ids, impossible, errors },
  }
}

/**
 * Reads what the policies are asked about. `hold` keeps others from changing what may be written;
 * `lock`, for longer, related records as well.
 */
export async function look(
  change: PivotChange,
  connection: Connection,
  how: 'read' | 'hold' | 'lock',
): Promise<Seen> {
  const { access, target, parent, related, ids } = change
  const isHeld = how !== 'read'
  const locks = isHeld && connection.dialect === 'postgresql' ? held : noLocks
  const [row] = await rowsOf(connection, access.entity, parent, locks.parent)
  if (row === undefined) throw notFound()
  const found =
    ids.length === 0
      ? []
      : await rowsOf(connection, target, related, locks.related(target.id.name, how))
  return {
    row,
    related: new Map(found.map((each) => [each['id'], each])),
    present: await presentPivots(change, connection, row, isHeld),
    removed: await removedPivots(change, connection, row, isHeld),
  }
}

/**
 * PostgreSQL: one attach, sync or detach per parent at a time; others may meanwhile point at the
 * same records. Rows are locked in the order of their ids, so that two requests never wait for each
 * other. SQLite has one writer at a time and needs no locks.
 */
const held = {
  parent: raw(' for no key update of t0'),
  related: (key: string, how: string) =>
    sql` order by ${identifier('t0', key)} for ${raw(how === 'lock' ? 'share' : 'key share')} of t0`,
}
const noLocks = { parent: raw(''), related: () => raw('') }

export async function rowsOf(
  connection: Connection,
  entity: Entity,
  filter: Test,
  lock = raw(''),
): Promise<Row[]> {
  if (filter === false || filter === null) return []
  const reader = rowReader(entity, allColumns(entity))
  const from = table(entity.table, 't0')
  const query = sql`select ${reader.select('t0')} from ${from}${where(filter, { entity })}${lock}`
  return (await read(connection, query)).map((row) => reader.object(reader.decode(row)))
}

/** Rows that would be changed: read where a gate is asked about them and something may change. */
async function presentPivots(
  { operation, access, link, ids }: PivotChange,
  connection: Connection,
  row: Row,
  isHeld: boolean,
): Promise<Row[]> {
  const isAsked = operation !== 'detach' && hasGate(access, operation, link.key)
  if (!isAsked || link.pivot.size === 0 || ids.length === 0) return []
  return readPivots(connection, link, row, { ids, isHeld })
}

/** Rows that would go: read where a gate is asked about them, or a server must hold them. */
async function removedPivots(
  change: PivotChange,
  connection: Connection,
  row: Row,
  isHeld: boolean,
): Promise<Row[]> {
  const { operation, access, link, ids, visible } = change
  if (operation === 'attach') return []
  const isAsked = hasGate(access, 'detach', link.key)
  const isLocked = isHeld && connection.dialect === 'postgresql'
  if (!isAsked && !isLocked) return []
  const side = operation === 'detach' ? 'named' : isLocked ? 'both' : 'others'
  const pivots = await readPivots(connection, link, row, { ids, side, visible, isHeld })
  if (!isAsked) return []
  const kept: ReadonlySet<unknown> = new Set(operation === 'sync' ? ids : [])
  return pivots.filter((pivot) => !kept.has(pivot[link.relation.pivot.relatedKey]))
}
