import { fewRows } from '../../database/statement-limits.js'
import type { RawRow } from '../../database/types.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import type { Budget } from '../../model/budget.js'
import type { Access, Settings } from '../../model/entity.js'
import type { Included, Loaded } from '../../model/included.js'
import { jsonBytes } from '../../model/json-bytes.js'
import type { Resource } from '../../model/resource.js'
import type { SortTerm, Test } from '../../model/sql-test.js'
import { decodeRows, manyRows, resourcesInTurns } from '../../operations/read.js'
import { markIncluded, rowReader, shownOf } from '../../operations/row-reader.js'
import { type Flags, flagsOf, reachableRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { masksOf } from '../../policy/gates.js'
import { where } from '../../policy/predicate.js'
import { narrowed, sorted } from '../../query/filter.js'
import { positive, type ShowQuery } from '../../query/query.js'
import { read, type Sql, sql, table } from '../../sql/sql.js'
import { runComputed } from './computed.js'
import { selectCounted } from './counted-columns.js'
import { accessBehind, isLink, isMorph, type Link, targetOf } from './entries.js'
import { pivotValue } from './pivot-rows.js'
import { relatedCounts, relatedRows } from './related-sql.js'
import { isPivotLink, type PivotLink, pointerKind } from './relation-sql.js'
import { needsOf, resolveInclude, type ResolvedEntry } from './resolve-include.js'

/** The state of loading the related entries of one request. */
interface Load {
  readonly settings: Settings
  /** Records per parent that the request asks for, or null. */
  readonly perPage: number | null
  readonly withMeta: boolean
  readonly budget: Budget
  /** Every record has `relationships`, also where nothing was found. */
  readonly marksAll: boolean
}

/** Records of one repository, whose related entries are loaded in one statement each. */
interface Level extends Loaded {
  readonly access: Access
  /** The number of times that each resource is written out: parents share them. Null: once. */
  readonly times: readonly number[] | null
  readonly resolved: readonly ResolvedEntry[]
}

/** Returns the included relations of a query, to be checked or loaded; null: none exists. */
export function includeRelated(access: Access, query: ShowQuery): Included | null {
  const resolved = resolveInclude(access, query)
  const { settings } = access.entity
  const { relatablePerPage: asked = null } = query
  return {
    needs: needsOf(access, resolved),
    keys: resolved,
    check: () => checkLevel(access, resolved),
    load: async (loaded, withMeta, budget) => {
      if (resolved.length === 0) return
      const perPage = asked === null ? null : positive('relatablePerPage', asked)
      const load = { settings, perPage, withMeta, marksAll: query.withoutMeta === true, budget }
      await loadLevel(load, Object.assign({}, loaded, { access, times: null, resolved }))
    },
  }
}

async function checkLevel(access: Access, resolved: readonly ResolvedEntry[]): Promise<void> {
  for (const { entry, part, children } of resolved.flatMap((each) => partsOf(each))) {
    if (!isLink(entry)) continue
    const target = accessBehind(access, entry)
    if (part !== undefined) {
      await narrowed(target, part)
      await sorted(target, part)
    }
    await checkLevel(target, children)
  }
}

const partsOf = (resolved: ResolvedEntry) => [...(resolved.parts?.values() ?? [resolved])]

async function loadLevel(load: Load, level: Level): Promise<void> {
  if (level.rows.length === 0 || level.resolved.length === 0) return
  await Promise.all(level.resolved.map((each) => loadEntry(load, level, each)))
}

async function loadEntry(load: Load, level: Level, resolved: ResolvedEntry): Promise<void> {
  const { entry, key } = resolved
  if (isLink(entry)) return loadLink(load, level, resolved, entry)
  if (isMorph(entry)) {
    const parts = entry.split(level).map(([name, link, part]) => {
      return loadLink(load, part, resolved.parts?.get(name) ?? resolved, link)
    })
    return void (await Promise.all(parts))
  }
  const { access, rows, positions, isSeen } = level
  if (entry.relation.kind === 'member') {
    // As attributes show it; a column list may have left it out of them.
    const position = positions.get(entry.key) ?? 0
    const isText = access.entity.relations?.foreignColumns.has(entry.key) === true
    const shown = (value: unknown) => (isText && value !== null ? String(value) : value)
    const values = rows.map((row) =>
      isSeen === null || isSeen(row, entry.key) ? shown(row[position]) : null,
    )
    return placeValues(load, level, key, values)
  }
  const objects = rows.map((row) =>
    Object.fromEntries([...positions].map(([name, at]) => [name, row[at]])),
  )
  const values = await runComputed(access, entry.key, entry.relation.batch, objects)
  placeValues(load, level, key, values)
}

/** Entries that are no records: their text counts like that of attributes. */
function placeValues(load: Load, level: Level, key: string, values: readonly unknown[]): void {
  for (const [at, value] of values.entries()) {
    const bytes = jsonBytes(value ?? null, load.settings.maxResponse)
    load.budget.spendText(bytes * (level.times?.[at] ?? 1))
  }
  assign(level, key, (at) => values[at] ?? null)
}

/** Sets one entry of every record of a level; `value` is asked with the record's place. */
function assign({ resources }: Level, key: string, value: (at: number) => unknown): void {
  resources.forEach(({ relationships }, at) => {
    if (relationships !== undefined) relationships[key] = value(at)
  })
}

/** One relation of a level. */
interface RelationLoad {
  readonly load: Load
  readonly level: Level
  readonly resolved: ResolvedEntry
  readonly link: Link
  readonly access: Access
  readonly flags: Flags | null
}

async function loadLink(
  load: Load,
  level: Level,
  resolved: ResolvedEntry,
  link: Link,
): Promise<void> {
  const access = accessBehind(level.access, link)
  const { part } = resolved
  const asked = part === undefined ? [] : await narrowed(access, part)
  const conditions = [...asked, await reachableRows(access)]
  if (resolved.isCount) return countChildren(load, level, resolved.key, link, conditions)
  const flags = load.withMeta ? await flagsOf(access, 'visible') : null
  const target = { load, level, resolved, link, access, flags }
  if (link.relation.kind === 'belongsTo') {
    return loadOwners(target, link.relation.foreignKey, conditions)
  }
  const terms = await sorted(access, part)
  return loadChildren(target, terms, answersTest(access.entity, conditions))
}

function readerOf({ access, resolved, flags }: RelationLoad) {
  const shown = shownOf(access, resolved.columns)
  const needs = needsOf(access, resolved.children)
  const masks = masksOf(access, 't0', [...shown, ...needs])
  return rowReader(access.entity, { shown, masks, needs, flags })
}

type RelatedReader = ReturnType<typeof readerOf>

/**
 * belongsTo: one statement for the distinct keys. Records that share an owner share its resource.
 */
async function loadOwners(
  target: RelationLoad,
  foreignKey: string,
  conditions: readonly unknown[],
): Promise<void> {
  const { level, access, resolved } = target
  const { entity } = access
  const at = level.positions.get(foreignKey) ?? 0
  const times = timesById(level, at)
  times.delete(null)
  const filter = answersTest(entity, [{ id: { in: [...times.keys()] } }, ...conditions])
  if (times.size === 0 || filter === false || filter === null) return
  const reader = readerOf(target)
  const from = table(entity.table, 't0')
  const most = times.size
  const columns = most > fewRows ? selectCounted(reader, entity) : reader.select('t0')
  const query = sql`select ${columns} from ${from}${where(filter, { entity })}`
  const timesOf = ([id]: RawRow) => times.get(id) ?? 0
  const { rows, resources } = await loadRows(target, reader, query, timesOf, most)
  const byId = new Map(rows.map((row, place) => [row[0], resources[place]]))
  assign(level, resolved.key, (place) => byId.get(level.rows[place]?.[at]) ?? null)
}

/** The other kinds: one statement, as many records per parent as are shown. */
async function loadChildren(
  target: RelationLoad,
  terms: readonly SortTerm[],
  filter: Test,
): Promise<void> {
  const { load, level, resolved, link } = target
  if (filter === false || filter === null) return
  const reader = readerOf(target)
  const times = timesById(level, 0)
  const ids = [...times.keys()]
  const parentAt = parentPosition(link, reader)
  const query = relatedRows({
    select: selectCounted(reader, target.access.entity),
    limitInAll: load.budget.related + 1,
    ...{ link, ids, filter, terms, hasParent: parentAt !== null },
    ...(link.toOne ? { limit: 1, offset: 0 } : windowOf(target)),
  })
  const parentOf = (row: RawRow) =>
    parentAt === null ? ids[Number(row[reader.width])] : row[parentAt]
  const found = await loadRows(target, reader, query, (row) => times.get(parentOf(row)) ?? 0)
  const groups = await groupByParent(
    link,
    found,
    parentOf,
    reader.width + (parentAt === null ? 1 : 0),
  )
  if (terms.length === 0) {
    const { key } = targetOf(link).id.storage
    for (const group of groups.values()) {
      if (found.rows.length >= manyRows && isTurnLong()) await nextTurn()
      group.sort((one, other) => key?.compare(other.id, one.id) ?? 0)
    }
  }
  assign(level, resolved.key, (at) => {
    const group = groups.get(level.rows[at]?.[0]) ?? []
    return link.toOne ? (group[0] ?? null) : group
  })
}

/** Finds the parent's id in a related row, in the form of that id; null: nowhere. */
function parentPosition(link: Link, { positions }: RelatedReader): number | null {
  const { relation, source } = link
  if ('pivot' in relation || pointerKind(link) !== source.id.storage) return null
  return positions.get(relation.foreignKey) ?? null
}

/** The distinct values of a column, and how often the record that each points at is written out. */
function timesById({ rows, times }: Level, at: number): Map<unknown, number> {
  const known = new Map<unknown, number>()
  rows.forEach((row, place) => {
    known.set(row[at], (known.get(row[at]) ?? 0) + (times?.[place] ?? 1))
  })
  return known
}

function windowOf({ load, resolved, access }: RelationLoad): { limit: number; offset: number } {
  const { page = 1, perPage = null } = resolved.part ?? {}
  const size = perPage ?? load.perPage ?? access.entity.relatablePerPage ?? 15
  const limit = Math.min(positive('perPage', size), load.settings.maxPerPage)
  return { limit, offset: (positive('page', page) - 1) * limit }
}

/** Counts the related records of each: one statement for all. */
async function countChildren(
  load: Load,
  level: Level,
  key: string,
  link: Link,
  conditions: readonly unknown[],
): Promise<void> {
  const filter = answersTest(targetOf(link), conditions)
  if (filter === false || filter === null) return assign(level, key, () => 0)
  const ids = [...timesById(level, 0).keys()]
  const query = relatedCounts(link, ids, filter)
  const rows = await read(link.source.database, query, load.budget.caller)
  const counts = new Map(rows.map(([place, n]) => [ids[Number(place)], Number(n)]))
  assign(level, key, (at) => counts.get(level.rows[at]?.[0]) ?? 0)
}

interface FoundRecords {
  readonly rows: readonly (readonly unknown[])[]
  readonly resources: readonly Resource[]
}

async function loadRows(
  { load, resolved, access }: RelationLoad,
  reader: RelatedReader,
  query: Sql,
  timesOf: (row: RawRow) => number,
  most?: number,
): Promise<FoundRecords> {
  const { children } = resolved
  const { budget } = load
  budget.check()
  if (budget.isLarge && isTurnLong()) await nextTurn()
  const raw = await read(access.entity.database, query, budget.caller, most)
  const times = raw.map(timesOf)
  budget.spendRelated(times)
  budget.spendRows(raw, reader, times)
  const rows = await decodeRows(reader, raw, budget)
  const resources = await resourcesInTurns(reader, rows, children)
  if (load.marksAll) markIncluded(resources)
  const { positions, isSeen } = reader
  await loadLevel(load, { rows, positions, isSeen, resources, access, times, resolved: children })
  return { rows, resources }
}

/** In the order they were read; many-to-many ones get their pivots. */
async function groupByParent(
  link: Link,
  { rows, resources }: FoundRecords,
  parentOf: (row: RawRow) => unknown,
  pivotsAt: number,
): Promise<ReadonlyMap<unknown, Resource[]>> {
  const groups = new Map<unknown, Resource[]>()
  for (const [at, row] of rows.entries()) {
    if (rows.length >= manyRows && isTurnLong()) await nextTurn()
    const resource = resources[at]
    if (resource === undefined) continue
    const parent = parentOf(row)
    if (isPivotLink(link)) resource.pivots = pivotsOf(link, row, pivotsAt, parent)
    const group = groups.get(parent)
    if (group === undefined) groups.set(parent, [resource])
    else group.push(resource)
  }
  return groups
}

function pivotsOf(
  link: PivotLink,
  row: RawRow,
  first: number,
  parent: unknown,
): Record<string, unknown> {
  const values = link.shownPivot.map((column, at) => {
    return [column.name, pivotValue(link, column, row[first + at], parent)] as const
  })
  return Object.fromEntries(values)
}
