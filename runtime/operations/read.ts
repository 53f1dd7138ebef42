import { badRequest, notFound, unauthenticated } from '../errors.js'
import { type Access, ask, flagsOf, visibleRows } from '../policy/access.js'
import { newBudget } from '../features/relations/budget.js'
import type { Row } from '../model/definition.js'
import { type Described, describe, describeAll } from '../policy/parse-condition.js'
import type { Entity } from '../model/entity.js'
import { narrowed, sorted } from '../query/filter.js'
import { readId } from '../model/ids.js'
import { loadRelated, markLookedAt } from '../features/relations/load.js'
import { type Part, type Prepared, run } from '../sql/statement-cache.js'
import { positive } from '../query/positive.js'
import type { IndexQuery, ShowQuery } from '../query/parse-query.js'
import type { Page, Resource } from '../model/resource.js'
import {
  countPlan,
  pagePlan,
  selectPlan,
  type SelectPlan,
  type SortTerm,
  termsKey,
  throughParts,
} from './select.js'
import { decodeRow, partsOf, resourceOf, rowObject, type Want, wantKey } from './row-decoder.js'
import {
  needsOf,
  resolveTree,
  shownOf,
  type Wanted,
} from '../features/relations/resolve-include.js'

/** One record the user may see, with what the query asks for. */
export async function showResource(
  access: Access,
  idText: string,
  query: ShowQuery,
): Promise<Resource> {
  const { entity } = access
  const id = readId(entity.id, idText)
  const wanted = resolveTree(access, query, entity.definition.settings)
  if (id === null) throw notFound()
  const filter = describeAll(entity, [{ id }, await visibleRows(access)])
  if (filter.key === 'false') throw await hidden(access)
  const want = await wantOf(access, wanted, query)
  const { flags } = want
  const plan = entity.plans.get(`show|${wantKey(want)}|${filter.key}`, () =>
    selectPlan(entity, want, filter),
  )
  const reading = { access, wanted, want, plan, parts: partsOf(filter, flags) }
  const [resource] = await readResources(reading, query, flags !== null)
  if (resource === undefined) throw notFound()
  return resource
}

async function wantOf(
  access: Access,
  wanted: readonly Wanted[],
  { columns = null, withoutMeta = false }: ShowQuery,
): Promise<Want> {
  const flags = withoutMeta ? null : await flagsOf(access, 'visible')
  return { shown: shownOf(access, columns), needs: needsOf(access, wanted), flags }
}

/** A policy that shows nothing at all to nobody in particular asks for a user first. */
export async function hidden(access: Access): Promise<Error> {
  return (await isClosed(access)) ? unauthenticated() : notFound()
}

/** Whether nobody is signed in and the policy shows nobody anything, whatever else is asked. */
async function isClosed(access: Access): Promise<boolean> {
  if (access.request.user !== null) return false
  return describe(access.entity, await ask(access, 'show')).key === 'false'
}

interface Reading {
  readonly access: Access
  readonly wanted: readonly Wanted[]
  readonly want: Want
  readonly plan: SelectPlan
  readonly parts: readonly Part[]
}

/** Runs the plan and loads what the query asks of related entries. */
export async function readResources(
  { access, wanted, want, plan, parts }: Reading,
  query: ShowQuery,
  relatedMeta: boolean,
): Promise<Resource[]> {
  const { entity } = access
  const { selection } = plan
  const raw = await run(entity.database, plan.prepared, parts)
  const rows = raw.map((row) => decodeRow(selection, row))
  const store = want.flags?.store ?? false
  const resources = rows.map((row) => resourceOf(selection, row, parts, store, wanted))
  // Without an `include`, nobody has looked at what else is wanted of these records.
  const marksAll = query.withoutMeta === true && query.include !== undefined
  if (marksAll) markLookedAt(resources)
  if (wanted.length > 0) {
    const { settings } = entity.definition
    const { relatablePerPage: asked = null } = query
    const perPage = asked === null ? null : positive('relatablePerPage', asked)
    const { budget = newBudget(settings.maxRelated) } = query
    const load = { settings, perPage, withMeta: relatedMeta, marksAll, budget }
    await loadRelated(load, { access, selection, rows, resources, times: null, wanted })
  }
  return resources
}

/** One page of the records the user may see. */
export async function indexPage(access: Access, query: IndexQuery): Promise<Page> {
  const { entity } = access
  const window = windowOf(entity, query)
  const { page, perPage } = window
  const opened = await openPage(access, query, window)
  if (opened === null) return { data: [], total: 0, page, perPage }
  const { settings } = entity.definition
  const relatedMeta = query.withMeta === true || settings.relatedMetaOnIndex
  return readPage(opened.reading, opened.filter, query, window, relatedMeta)
}

/** The same page without `meta`, and without being counted. */
export async function listPage(access: Access, query: IndexQuery): Promise<Resource[]> {
  const lean = { ...query, withoutMeta: true }
  const opened = await openPage(access, lean, windowOf(access.entity, query))
  return opened === null ? [] : readResources(opened.reading, lean, false)
}

/** How many records the user may see and the query matches. */
export async function countRecords(access: Access, query: IndexQuery): Promise<number> {
  const { entity } = access
  const filter = await matching(access, query)
  return filter === null ? 0 : count(entity, countedBy(entity, filter), filter)
}

/** Null: no record at all, which nobody in particular is not told. */
async function matching(access: Access, query: IndexQuery): Promise<Described | null> {
  const { entity } = access
  const filter = describeAll(entity, [
    await visibleRows(access),
    ...(await narrowed(access, query)),
  ])
  if (filter.key !== 'false') return filter
  if (await isClosed(access)) throw unauthenticated()
  return null
}

const countedBy = (entity: Entity, filter: Described) =>
  entity.plans.get(`count|${filter.key}`, () => countPlan(entity, filter))

async function openPage(
  access: Access,
  query: IndexQuery,
  window: Window,
): Promise<{ readonly reading: Reading; readonly filter: Described } | null> {
  const { entity } = access
  const { settings } = entity.definition
  const wanted = resolveTree(access, query, settings)
  const terms = await sorted(access, query.sort ?? [], settings)
  const filter = await matching(access, query)
  if (filter === null) return null
  const want = await wantOf(access, wanted, query)
  const plan = entity.plans.get(`page|${wantKey(want)}|${filter.key}|${termsKey(terms)}`, () =>
    pagePlan(entity, want, filter, terms),
  )
  const reading = { access, wanted, want, plan, parts: pageParts(filter, want, window, terms) }
  return { reading, filter }
}

async function readPage(
  reading: Reading,
  filter: Described,
  query: IndexQuery,
  window: Window,
  relatedMeta: boolean,
): Promise<Page> {
  const { entity } = reading.access
  const plan = countedBy(entity, filter)
  // A server counts while the page is read. SQLite reads one after the other anyway, and often need
  // not count.
  const counting = entity.dialect === 'postgresql' ? count(entity, plan, filter) : null
  const loading = readResources(reading, query, relatedMeta)
  const [data, counted] = await Promise.all([loading, counting])
  const { page, perPage, offset } = window
  const isLast = data.length > 0 ? data.length < perPage : page === 1
  const total = counted ?? (isLast ? offset + data.length : await count(entity, plan, filter))
  return { data, total, page, perPage }
}

async function count(entity: Entity, plan: Prepared, filter: Described): Promise<number> {
  const [row] = await run(entity.database, plan, [filter])
  return Number(row?.[0])
}

interface Window {
  readonly page: number
  readonly perPage: number
  readonly offset: number
}

function windowOf({ definition }: Entity, query: IndexQuery): Window {
  const page = positive('page', query.page ?? 1)
  const wanted = positive('perPage', query.perPage ?? definition.perPage ?? 15)
  const perPage = Math.min(wanted, definition.settings.maxPerPage)
  const offset = (page - 1) * perPage
  if (Number.isSafeInteger(offset)) return { page, perPage, offset }
  const message = 'The page parameter is too large.'
  throw badRequest(message, { page: [message] })
}

function pageParts(
  filter: Described,
  { flags }: Want,
  { perPage, offset }: Window,
  terms: readonly SortTerm[],
): Part[] {
  const own = { key: '', values: [perPage, offset] }
  return [...partsOf(filter, flags), own, ...throughParts(terms)]
}

/** The whole row of a record that a condition admits, or null. */
export async function readRow(entity: Entity, filter: Described): Promise<Row | null> {
  if (filter.key === 'false') return null
  const want = { shown: { key: '', names: [] }, needs: [...entity.columns.keys()], flags: null }
  const plan = entity.plans.get(`row|${filter.key}`, () => selectPlan(entity, want, filter))
  const [raw] = await run(entity.database, plan.prepared, [filter])
  return raw === undefined ? null : rowObject(plan.selection, decodeRow(plan.selection, raw))
}

/** A record just written, whatever its policy shows: its flags need the database. */
export async function readWritten(access: Access, id: unknown): Promise<Resource> {
  const { entity } = access
  const filter = describe(entity, { id })
  const flags = await flagsOf(access, 'asked')
  const want = { shown: access.shown, needs: [], flags }
  const plan = entity.plans.get(`written|${wantKey(want)}`, () => selectPlan(entity, want, filter))
  const reading = { access, wanted: [], want, plan, parts: partsOf(filter, flags) }
  const [resource] = await readResources(reading, {}, false)
  if (resource === undefined) throw notFound()
  return resource
}
