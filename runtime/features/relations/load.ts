import type { RawRow } from '../../database/types.js'
import { type Access, accessTo, type Flags, flagsOf, reachableRows } from '../../policy/access.js'
import { type Budget, checkBudget, spend } from './budget.js'
import { runComputed } from './computed.js'
import { combine } from '../../policy/condition.js'
import type { Settings } from '../../model/definition.js'
import { describe, describeAll } from '../../policy/parse-condition.js'
import { type Entity, isLink, type Link, targetOf } from '../../model/entity.js'
import { narrowed, sorted } from '../../query/filter.js'
import { bare } from '../../model/own.js'
import { type Part, run } from '../../sql/statement-cache.js'
import { positive } from '../../query/positive.js'
import { relatedCountPlan, relatedPlan } from './related-sql.js'
import type { Resource } from '../../model/resource.js'
import {
  selectPlan,
  type SelectPlan,
  type SortTerm,
  termsKey,
  throughParts,
} from '../../operations/select.js'
import {
  decodeRow,
  partsOf,
  resourceOf,
  rowObject,
  type Selection,
  wantKey,
} from '../../operations/row-decoder.js'
import { needsOf, shownOf, type Wanted } from './resolve-include.js'

/** How the related entries of one request are loaded. */
export interface Load {
  readonly settings: Settings
  /** Records per parent that the request asks for, or null. */
  readonly perPage: number | null
  /** Whether related resources carry `meta`. */
  readonly withMeta: boolean
  readonly budget: Budget
  /** Every record tells that its related entries were looked at, also where that left none. */
  readonly marksAll: boolean
}

/** Of records whose related entries were looked at: there are none. */
const noRelated: Record<string, unknown> = Object.freeze(bare())

export function markLookedAt(resources: readonly Resource[]): void {
  for (const resource of resources) resource.relationships ??= noRelated
}

/**
 * Records of one repository, loaded together: their related entries cost one statement each,
 * however many they are.
 */
export interface Level {
  readonly access: Access
  readonly selection: Selection
  readonly rows: readonly (readonly unknown[])[]
  readonly resources: readonly Resource[]
  /** How often each resource is written out: parents share them. Null: once. */
  readonly times: readonly number[] | null
  readonly wanted: readonly Wanted[]
}

/** Fills `relationships` of every resource, level by level. */
export async function loadRelated(load: Load, level: Level): Promise<void> {
  if (level.rows.length === 0 || level.wanted.length === 0) return
  await Promise.all(level.wanted.map((wanted) => loadEntry(load, level, wanted)))
}

async function loadEntry(load: Load, level: Level, wanted: Wanted): Promise<void> {
  const { entry, key } = wanted
  if (isLink(entry)) return loadLink(load, level, wanted, entry)
  const { access, selection, rows } = level
  if (entry.relation.kind === 'member') {
    return assign(level, key, memberOf(level, entry.key))
  }
  const objects = rows.map((row) => rowObject(selection, row))
  const values = await runComputed(access, entry.key, entry.relation.batch, objects)
  assign(level, key, (at) => values[at] ?? null)
}

/** A field by place, as attributes show it; a column list may have left it out of them. */
function memberOf({ access, selection, rows }: Level, field: string): (at: number) => unknown {
  const position = selection.positions.get(field) ?? 0
  const isText = access.entity.foreign.has(field)
  return (at) => {
    const value = rows[at]?.[position] ?? null
    return isText && value !== null ? String(value) : value
  }
}

/** Sets one entry of every record of a level; `value` is asked with the record's place. */
function assign(level: Level, key: string, value: (at: number) => unknown): void {
  level.resources.forEach(({ relationships }, at) => {
    if (relationships !== undefined) relationships[key] = value(at)
  })
}

async function loadLink(load: Load, level: Level, wanted: Wanted, link: Link): Promise<void> {
  const access = accessTo(level.access.request, targetOf(link))
  const narrow = wanted.part === null ? [] : await narrowed(access, wanted.part)
  const visible = await reachableRows(access)
  const show = narrow.length === 0 ? visible : combine('all', [visible, ...narrow])
  if (wanted.isCount) return countChildren(access, level, wanted.key, link, show)
  const flags = load.withMeta ? await flagsOf(access, 'visible') : null
  const target = { load, wanted, access, show, flags }
  if (link.relation.kind === 'belongsTo') {
    return loadOwners(target, level, link.relation.foreignKey)
  }
  const terms = await sorted(access, wanted.part?.sort ?? [], load.settings)
  return loadChildren(target, level, link, terms)
}

interface Target {
  readonly load: Load
  readonly wanted: Wanted
  readonly access: Access
  readonly show: unknown
  readonly flags: Flags | null
}

function wantOf({ wanted, access, flags }: Target) {
  return {
    shown: shownOf(access, wanted.columns),
    needs: needsOf(access, wanted.children),
    flags,
  }
}

/**
 * belongsTo: one statement for the distinct keys. Records that share an owner share its resource.
 */
async function loadOwners(target: Target, level: Level, foreignKey: string): Promise<void> {
  const { entity } = target.access
  const at = level.selection.positions.get(foreignKey) ?? 0
  const times = timesById(level, at)
  times.delete(null)
  if (times.size === 0) return
  const filter = describeAll(entity, [{ id: { in: [...times.keys()] } }, target.show])
  if (filter.key === 'false') return
  const want = wantOf(target)
  const plan = entity.plans.get(`owners|${wantKey(want)}|${filter.key}`, () =>
    selectPlan(entity, want, filter),
  )
  const timesOf = (row: RawRow) => times.get(row[0]) ?? 0
  const loaded = await loadRows(target, entity, plan, partsOf(filter, target.flags), timesOf)
  const byId = new Map(loaded.rows.map((row, place) => [row[0], loaded.resources[place]]))
  assign(level, target.wanted.key, (place) => byId.get(level.rows[place]?.[at]) ?? null)
}

/** The other kinds: one statement, as many records per parent as are shown. */
async function loadChildren(
  target: Target,
  level: Level,
  link: Link,
  terms: readonly SortTerm[],
): Promise<void> {
  const { entity } = target.access
  const filter = describe(entity, target.show)
  if (filter.key === 'false') return
  const want = wantOf(target)
  const key = `related|${link.key}|${wantKey(want)}|${filter.key}|${termsKey(terms)}`
  const plan = link.source.plans.get(key, () => relatedPlan(link, want, filter, terms))
  const times = timesById(level, 0)
  const ids = [...times.keys()]
  const window = link.toOne ? [1, 0] : windowOf(target, entity)
  const own: Part = { key: '', values: [ids, ...window, target.load.budget.left + 1] }
  const parts = [...partsOf(filter, target.flags), own, ...throughParts(terms)]
  const { parentAt, selection } = plan
  const parentOf = (row: RawRow) =>
    parentAt === null ? ids[Number(row[selection.width])] : row[parentAt]
  const timesOf = (row: RawRow) => times.get(parentOf(row)) ?? 0
  const loaded = await loadRows(target, entity, plan, parts, timesOf)
  const groups = groupByParent(link, selection, loaded, parentOf)
  if (terms.length === 0) putNewestFirst(groups.values(), link)
  assign(level, target.wanted.key, (at) => {
    const group = groups.get(level.rows[at]?.[0]) ?? []
    return link.toOne ? (group[0] ?? null) : group
  })
}

/**
 * The distinct values of a column (a record may be there twice, under two parents), and how often
 * what they stand for will be written out.
 */
function timesById({ rows, times }: Level, at: number): Map<unknown, number> {
  const known = new Map<unknown, number>()
  rows.forEach((row, place) => {
    known.set(row[at], (known.get(row[at]) ?? 0) + (times?.[place] ?? 1))
  })
  return known
}

/** Limit and offset. */
function windowOf({ load, wanted }: Target, { definition }: Entity): [number, number] {
  const { page = 1, perPage = null } = wanted.part ?? {}
  const size = perPage ?? load.perPage ?? definition.relatablePerPage ?? 15
  const limit = Math.min(positive('perPage', size), load.settings.maxPerPage)
  return [limit, (positive('page', page) - 1) * limit]
}

/** How many related records each has: one statement for all. */
async function countChildren(
  { entity }: Access,
  level: Level,
  key: string,
  link: Link,
  show: unknown,
): Promise<void> {
  const filter = describe(entity, show)
  if (filter.key === 'false') return assign(level, key, () => 0)
  const plan = link.source.plans.get(`counted|${link.key}|${filter.key}`, () =>
    relatedCountPlan(link, filter),
  )
  const ids = [...timesById(level, 0).keys()]
  const parts = [...partsOf(filter, null), { key: '', values: [ids] }]
  const rows = await run(entity.database, plan, parts)
  const counts = new Map(rows.map(([place, n]) => [ids[Number(place)], Number(n)]))
  assign(level, key, (at) => counts.get(level.rows[at]?.[0]) ?? 0)
}

interface Loaded {
  readonly rows: readonly (readonly unknown[])[]
  readonly resources: readonly Resource[]
}

async function loadRows(
  { load, wanted, access, flags }: Target,
  entity: Entity,
  { prepared, selection }: SelectPlan,
  parts: readonly Part[],
  timesOf: (row: RawRow) => number,
): Promise<Loaded> {
  checkBudget(load.budget)
  const raw = await run(entity.database, prepared, parts)
  const times = raw.map(timesOf)
  spend(load.budget, times)
  const rows = raw.map((row) => decodeRow(selection, row))
  const store = flags?.store ?? false
  const resources = rows.map((row) => resourceOf(selection, row, parts, store, wanted.children))
  if (load.marksAll) markLookedAt(resources)
  await loadRelated(load, { access, selection, rows, resources, times, wanted: wanted.children })
  return { rows, resources }
}

/** In the order they were read; many-to-many ones get their pivots. */
function groupByParent(
  link: Link,
  { width }: Selection,
  { rows, resources }: Loaded,
  parentOf: (row: RawRow) => unknown,
): Map<unknown, Resource[]> {
  const groups = new Map<unknown, Resource[]>()
  const hasPivot = 'pivot' in link.relation
  rows.forEach((row, at) => {
    const resource = resources[at]
    if (resource === undefined) return
    if (hasPivot) resource.pivots = pivotsOf(link, row, width + 1)
    const parent = parentOf(row)
    const group = groups.get(parent)
    if (group === undefined) groups.set(parent, [resource])
    else group.push(resource)
  })
  return groups
}

function putNewestFirst(groups: Iterable<Resource[]>, link: Link): void {
  const isNumber = targetOf(link).id.kind === 'integer'
  for (const group of groups) group.sort(isNumber ? byNumber : byText)
}

const byNumber = (one: Resource, two: Resource): number => Number(two.id) - Number(one.id)
const byText = (one: Resource, two: Resource): number => (one.id < two.id ? 1 : -1)

function pivotsOf(link: Link, row: RawRow, first: number): Record<string, unknown> {
  const pivots: Record<string, unknown> = {}
  let at = first
  for (const { name, decode } of link.shownPivot) {
    const stored = row[at++]
    pivots[name] = stored === null || decode === null ? stored : decode(stored)
  }
  return pivots
}
