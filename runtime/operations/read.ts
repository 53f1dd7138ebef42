import type { Caller } from '../database/caller.js'
import { fewRows, SlowStatementError } from '../database/statement-limits.js'
import type { Parameter, RawRow } from '../database/types.js'
import { UnavailableError } from '../database/unavailable.js'
import { notFound, unauthenticated } from '../errors.js'
import { isTurnLong, nextTurn } from '../event-loop.js'
import { andThen, type Later } from '../later.js'
import { beginsLarge, type Budget, budgetOf } from '../model/budget.js'
import type { Access, Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { readId } from '../model/ids.js'
import type { Included } from '../model/included.js'
import type { Page, PageOf, Resource } from '../model/resource.js'
import type { SortTerm, Test } from '../model/sql-test.js'
import { ask, type Flags, flagsOf, visibleRows, visibleWithId } from '../policy/access.js'
import { answersTest, answerTest } from '../policy/condition-sql.js'
import { masksOf } from '../policy/gates.js'
import { all, where } from '../policy/predicate.js'
import { takenOfList, takenOfRecord } from '../query/extension-parameters.js'
import { askedFilter, narrowed, orderBy, orderKeys, sorted } from '../query/filter.js'
import {
  badParameter,
  type IndexQuery,
  type MatchValue,
  positive,
  type ShowQuery,
} from '../query/query.js'
import { raw, read, type Slot, type Sql, sql, table } from '../sql/sql.js'
import { withHeaders } from './answer-headers.js'
import { keeping, keepTotal, mayKeepTotals, withTotal } from './kept-totals.js'
import { findPlan, isPlainList, isPlainRecord, type Plan, sendPlan, type Write } from './plans.js'
import { allColumns, markIncluded, type RowReader, rowReader, shownOf } from './row-reader.js'

/** One record the user may see, with what the query asks for. */
export async function showResource(
  asked: Access,
  idText: string,
  said: ShowQuery,
): Promise<Resource> {
  const [access, query] = await takenOfRecord(asked, said)
  const id = readId(access.entity.id, idText)
  const found = planOfRecord(access, id, query)
  const plan = found && (found.plan ?? (await found.make(writeRecord)))
  if (found !== null && plan !== null) return showPlanned(access, query, plan, found.values)
  checkParameters(access, query)
  const included = includedBy(access, query)
  if (id === null) throw notFound()
  const filter = await visibleWithId(access, id)
  if (filter === false) throw await notShown(access)
  const flags = await flagsFor(access, query)
  const budget = budgetOf(access.entity, query)
  const reading = { access, included, query, filter, flags, budget, most: 1 }
  const [resource] = await readResources(reading)
  if (resource === undefined) throw notFound()
  return withHeaders(access, resource)
}

const planOfRecord = (access: Access, id: number | string | null, query: ShowQuery) =>
  id === null || !isPlainRecord(query) ? null : findPlan(access, 'show', [id])

const writeRecord: Write = async (access, [id]) => {
  const filter = await visibleWithId(access, id)
  if (filter === false || filter === null) return null
  const flags = await flagsOf(access, 'visible')
  const reader = readerOf({ access, included: null, query: {}, flags })
  const page = selectSql(access.entity, { columns: reader.select('t0'), filter })
  return { page, count: countOf(access.entity, filter), reader, flags }
}

async function showPlanned(
  access: Access,
  query: ShowQuery,
  { page, reader, flags }: Plan,
  values: readonly unknown[],
): Promise<Resource> {
  const budget = budgetOf(access.entity, query)
  const rows = await sendPlan(access.entity, page, values, { most: 1, caller: budget.caller })
  const reading = { access, included: null, query, filter: true, flags, budget, most: 1 }
  const [resource] = await resourcesOf(reading, reader, rows)
  if (resource === undefined) throw notFound()
  return withHeaders(access, resource)
}

/** Shows a record as `showResource` does; where there is a plan, as JSON. */
export function showJson(
  access: Access,
  idText: string,
  query: ShowQuery,
): Later<string | Resource> {
  const id = readId(access.entity.id, idText)
  const found = planOfRecord(access, id, query)
  const plan = found?.plan ?? null
  if (found === null || plan === null) return showResource(access, idText, query)
  const { page, reader } = plan
  const budget = budgetOf(access.entity, query)
  const { caller } = budget
  return andThen(sendPlan(access.entity, page, found.values, { most: 1, caller }), (rows) => {
    const [row] = rows
    if (row === undefined) throw notFound()
    budget.spendRows(rows, reader)
    if (access.extensions.every(({ says }) => says?.headers === undefined)) {
      return reader.toJson(reader.decode(row))
    }
    return withHeaders(access, reader.resource(reader.decode(row)))
  })
}

/** With strict queries, a parameter that nothing knows is 400. */
function checkParameters(access: Access, { unknown = [], unread = [] }: ShowQuery): void {
  const { strict } = access.entity.settings
  const name = unread[0]?.column ?? unknown[0]
  if (name !== undefined && strict !== null) throw strict.parameter(access, name, 'record')
}

/** Returns the included relations of a query; null: there are none. */
export function includedBy(access: Access, query: ShowQuery): Included | null {
  const { relations, settings, key } = access.entity
  if (query.include === undefined || query.include.length === 0) return null
  if (relations !== null) return relations.include(access, query)
  if (settings.strict === null) return null
  throw badParameter('include', `cannot be answered: there is nothing to include with ${key}`)
}

const flagsFor = (access: Access, { withoutMeta }: ShowQuery): Promise<Flags | null> =>
  withoutMeta === true ? Promise.resolve(null) : flagsOf(access, 'visible')

/** 404, or 401 where a guest sees no record at all: who signs in may see this one. */
export async function notShown(access: Access): Promise<Error> {
  return (await isClosed(access)) ? unauthenticated() : notFound()
}

/**
 * Returns true if there is no user and the policy shows nothing without one, whatever else is
 * asked.
 */
async function isClosed(access: Access): Promise<boolean> {
  if (access.request.user !== null) return false
  return answerTest(access.entity, await ask(access, 'show')) === false
}

export interface Reading {
  readonly access: Access
  readonly included: Included | null
  readonly query: ShowQuery
  /** The filter, of the table called `t0`. */
  readonly filter: Test
  readonly flags: Flags | null
  readonly budget: Budget
  /** Order and limit. */
  readonly tail?: Sql
  /** The largest number of rows. */
  readonly most: number
  /** True if related resources carry `meta`: as these do, unless it says otherwise. */
  readonly relatedMeta?: boolean
}

/** Reads records and what the query asks of related entries. */
export async function readResources(reading: Reading): Promise<Resource[]> {
  const { access, filter, budget, tail, most } = reading
  // Constants that admit no row need no statement.
  if (filter === false || filter === null) return []
  const reader = readerOf(reading)
  const columns = reader.select('t0')
  const { caller } = budget
  const rows = await select(access.entity, { columns, filter, most, tail, caller })
  return resourcesOf(reading, reader, rows)
}

export function readerOf({
  access,
  included,
  query,
  flags,
}: Pick<Reading, 'access' | 'included' | 'query' | 'flags'>): RowReader {
  const shown = shownOf(access, query.columns)
  const needs = included?.needs ?? []
  const masks = masksOf(access, 't0', [...shown, ...needs])
  return rowReader(access.entity, { shown, masks, needs, flags, values: query.values ?? [] })
}

/** The resources of rows that were read, with what the query asks of related entries. */
export async function resourcesOf(
  reading: Reading,
  reader: RowReader,
  found: readonly RawRow[],
): Promise<Resource[]> {
  const { included, query, flags, budget } = reading
  budget.spendRows(found, reader)
  const rows = await decodeRows(reader, found, budget)
  const resources = await resourcesInTurns(reader, rows, included?.keys)
  // GraphQL tells a record without relationships, whose relations were not looked at, from others.
  if (query.withoutMeta === true && query.include !== undefined) markIncluded(resources)
  const { relatedMeta = flags !== null } = reading
  if (included !== null) {
    const { positions, isSeen } = reader
    const loaded = { rows, positions, isSeen, resources }
    await included.load(loaded, relatedMeta, budget).catch(notOfList)
  }
  if (query.budget === undefined) budget.checkSize(resources)
  if (budget.isLarge) {
    if (resources[0] !== undefined) beginsLarge.add(resources[0])
    if (isTurnLong()) await nextTurn()
  }
  return resources
}

/** The resources of decoded rows; of many in several turns of the event loop. */
export async function resourcesInTurns(
  reader: Pick<RowReader, 'resource'>,
  rows: readonly (readonly unknown[])[],
  included?: Included['keys'],
): Promise<Resource[]> {
  if (rows.length < manyRows) return rows.map((row) => reader.resource(row, included))
  const resources: Resource[] = []
  for (const row of rows) {
    if (isTurnLong()) await nextTurn()
    resources.push(reader.resource(row, included))
  }
  return resources
}

/** Rows of which something is made in several turns: so many take a millisecond. */
export const manyRows = 500

/** Decodes the rows of a statement; of a large answer in several turns of the event loop. */
export async function decodeRows(
  reader: Pick<RowReader, 'decode'>,
  found: readonly RawRow[],
  { isLarge }: Budget,
): Promise<readonly unknown[][]> {
  if (!isLarge && found.length < manyRows) return found.map((row) => reader.decode(row))
  const rows: unknown[][] = []
  for (const row of found) {
    if (isTurnLong()) await nextTurn()
    rows.push(reader.decode(row))
  }
  return rows
}

/** A slow statement about related records is no fault of the list's filters. */
function notOfList(error: unknown): never {
  if (!(error instanceof SlowStatementError)) throw error
  throw new UnavailableError(error.message, { cause: error })
}

interface Selecting {
  readonly columns: Sql
  readonly filter: Test
  readonly most?: number
  readonly tail?: Sql | undefined
  readonly caller?: Caller
}

/** Rows of the table called `t0`. */
export function select(
  entity: Entity,
  { most = Infinity, caller, ...selecting }: Selecting,
): Promise<RawRow[]> {
  return read(entity.database, selectSql(entity, selecting), caller, most)
}

function selectSql(
  entity: Entity,
  { columns, filter, tail = raw('') }: Pick<Selecting, 'columns' | 'filter' | 'tail'>,
): Sql {
  return sql`select ${columns} from ${table(entity.table, 't0')}${where(filter, { entity })}${tail}`
}

/** The whole row of a record that a condition admits, or null. */
export async function readRow(entity: Entity, filter: Test): Promise<Row | null> {
  const [row] = await readRows(entity, filter)
  return row ?? null
}

/** The whole rows that a condition admits. */
export async function readRows(entity: Entity, filter: Test): Promise<Row[]> {
  if (filter === false || filter === null) return []
  const reader = rowReader(entity, allColumns(entity))
  const found = await select(entity, { columns: reader.select('t0'), filter })
  const rows: Row[] = []
  for (const row of found) {
    if (found.length > fewRows && isTurnLong()) await nextTurn()
    rows.push(reader.object(reader.decode(row)))
  }
  return rows
}

/** A record of this id whatever its policy shows: its flags need the database. */
export async function readOwn(
  access: Access,
  id: unknown,
  query: ShowQuery = {},
): Promise<Resource> {
  checkParameters(access, query)
  const included = includedBy(access, query)
  const filter = answerTest(access.entity, { id })
  const flags = await flagsOf(access, 'asked')
  const budget = budgetOf(access.entity, query)
  const reading = { access, included, query, filter, flags, budget, most: 1 }
  const [resource] = await readResources(reading)
  if (resource === undefined) throw notFound()
  return resource
}

/** One page of the records the user may see. */
export async function indexPage(asked: Access, said: IndexQuery): Promise<Page> {
  const [access, query] = await takenOfList(asked, withWhere(asked, said))
  return refusingSlow(access, query, () => pageOf(access, query))
}

/** The condition of code becomes one of the tests of the list, which cursors and exports know. */
function withWhere({ entity }: Access, query: IndexQuery): IndexQuery {
  const { where: condition, tests = [] } = query
  if (condition === undefined) return query
  const test = answerTest(entity, condition, 't0', 'a condition in code')
  return Object.assign({}, query, { tests: [...tests, test] })
}

/** As a feature reads it, or by its number. */
function pageOf(access: Access, query: IndexQuery): Promise<Page> {
  for (const extension of access.extensions) {
    const page = extension.read?.asks?.page?.(access, query) ?? null
    if (page !== null) return page
  }
  return readPage(access, query)
}

/** A statement that is too slow is 400 where the client searches or filters, else it is 503. */
export async function refusingSlow<T>(
  access: Access,
  query: IndexQuery,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const filter = query.match?.find((sent) => isFilter(access, sent))
    const asked = filter?.column ?? askedFilter(access, query.asked)
    const name = query.search ? 'search' : asked
    if (name === undefined || !(error instanceof SlowStatementError)) throw error
    throw badParameter(name, 'takes too long to answer (limits.statement_ms): ask for less')
  }
}

/** Returns true if a parameter filters, for this user. */
export const isFilter = (access: Access, sent: MatchValue): boolean =>
  getOwn(access.entity.match?.types, sent.column) !== undefined ||
  access.extensions.some(
    ({ read: steps }) => steps?.filter?.takes(access, sent.column, sent) === true,
  )

export async function readPage(access: Access, query: IndexQuery): Promise<Page> {
  const { entity } = access
  const window = windowOf(entity, query)
  const { page, perPage, offset } = window
  const found = planOfPage(access, query, window)
  const plan = found && (found.plan ?? (await found.make(writePage(query))))
  if (found !== null && plan !== null) {
    return readPlanned(access, query, { plan, values: found.values, window })
  }
  const reading = await openPage(access, query, window)
  if (reading === null) return { data: [], total: 0, page, perPage }
  const { filter, budget, tail } = reading
  const reader = readerOf(reading)
  const columns = sql`${reader.select('t0')}${counting(entity, filter)}`
  const { caller } = budget
  const rows = await select(entity, { columns, filter, most: perPage, tail, caller })
  const counted = rows[0]?.[reader.width]
  const data = await resourcesOf(reading, reader, rows)
  const isLast = data.length > 0 ? data.length < perPage : offset === 0
  const total = counted ?? (isLast ? offset + data.length : await count(entity, filter, caller))
  return { data, total: Number(total), page, perPage }
}

/**
 * A server counts in the statement of the page: another one costs more than that part of it, and a
 * second connection. SQLite often need not count.
 */
const counting = (entity: Entity, filter: Test): Sql =>
  entity.dialect === 'postgresql' ? sql`, (${countOf(entity, filter)})` : raw('')

/** Places for the total that is known, and the snapshot in which it was counted. */
const noTotal = ['', '0'] as const

const planOfPage = (access: Access, query: IndexQuery, { perPage, offset }: Window) => {
  if (!isPlainList(access, query)) return null
  const given = mayKeepTotals(access.entity) ? [perPage, offset, ...noTotal] : [perPage, offset]
  return findPlan(access, `index ${orderText(query)}`, given)
}

const orderText = ({ sort = [] }: IndexQuery): string =>
  sort.map(({ key, descending }) => (descending ? `-${key}` : key)).join()

const writePage =
  (query: IndexQuery): Write =>
  async (access, [perPage = null, offset = null, ...known]) => {
    const { entity } = access
    const terms = await sorted(access, query)
    const filter = answersTest(entity, [await visibleRows(access)])
    if (filter === false || filter === null) return null
    const flags = await flagsOf(access, 'visible')
    const reader = readerOf({ access, included: null, query: {}, flags })
    const total =
      known.length === 0 ? counting(entity, filter) : keeping(known, countOf(entity, filter))
    const columns = sql`${reader.select('t0')}${total}`
    const tail = pageTail(access, terms, perPage, offset)
    const page = selectSql(entity, { columns, filter, tail })
    return { page, count: countOf(entity, filter), reader, flags }
  }

interface Planned {
  readonly plan: Plan
  readonly values: readonly unknown[]
  readonly window: Window
}

async function readPlanned(access: Access, query: IndexQuery, planned: Planned): Promise<Page> {
  const { plan, window } = planned
  const { page, perPage } = window
  const budget = budgetOf(access.entity, query)
  const { caller } = budget
  const most = perPage
  const rows = await sendPage(access.entity, planned, caller)
  const { flags, reader } = plan
  const reading = { access, included: null, query, filter: true, flags, budget, most }
  const data = await resourcesOf(reading, reader, rows)
  return { data, total: await totalOf(access.entity, planned, rows, caller), page, perPage }
}

/** Reads the rows of a page, with the total that is known. */
function sendPage(entity: Entity, planned: Planned, caller: Caller): Later<RawRow[]> {
  const { plan, window } = planned
  const values = mayKeepTotals(entity) ? withTotal(plan, planned.values) : planned.values
  return sendPlan(entity, plan.page, values, { most: window.perPage, caller })
}

/** Returns the total: known from the rows, or counted. */
function totalOf(
  entity: Entity,
  { plan, values, window: { perPage, offset } }: Planned,
  rows: readonly RawRow[],
  caller: Caller,
): Later<number> {
  const [counted, snapshot] = rows[0]?.slice(plan.reader.width) ?? []
  if (typeof snapshot === 'string') keepTotal(plan, values, { snapshot, total: String(counted) })
  if (counted !== undefined) return Number(counted)
  const isLast = rows.length > 0 ? rows.length < perPage : offset === 0
  if (isLast) return offset + rows.length
  const counting = sendPlan(entity, plan.count, values, { most: 1, caller })
  return andThen(counting, ([row]) => Number(row?.[0]))
}

/** A page whose records are JSON already. */
export interface JsonPage extends PageOf<string> {
  readonly isJson: true
}

/** Reads a page as `indexPage` does; where there is a plan and the page is not large, as JSON. */
export function indexJson(access: Access, query: IndexQuery): Later<JsonPage | Page> {
  const { entity } = access
  const window = windowOf(entity, query)
  const found = planOfPage(access, query, window)
  const plan = found?.plan ?? null
  if (found === null || plan === null) return indexPage(access, query)
  const planned = { plan, values: found.values, window }
  const { page, perPage } = window
  const budget = budgetOf(entity, query)
  const { caller } = budget
  const { reader } = plan
  return andThen(sendPage(entity, planned, caller), (rows): Later<JsonPage | Page> =>
    andThen(totalOf(entity, planned, rows, caller), (total) => {
      budget.spendRows(rows, reader)
      if (budget.isLarge || rows.length >= manyRows) {
        return largePage(reader, rows, budget).then((data) => ({ data, total, page, perPage }))
      }
      const data = rows.map((row) => reader.toJson(reader.decode(row)))
      return { data, total, page, perPage, isJson: true }
    }),
  )
}

/** Resources, made while other requests are served; whoever answers them writes them in turns. */
async function largePage(
  reader: RowReader,
  found: readonly RawRow[],
  budget: Budget,
): Promise<Resource[]> {
  const resources = await resourcesInTurns(reader, await decodeRows(reader, found, budget))
  budget.checkSize(resources)
  if (budget.isLarge && resources[0] !== undefined) beginsLarge.add(resources[0])
  return resources
}

/** Reads the records of a page without `meta`, and without counting. */
export async function listPage(asked: Access, said: IndexQuery): Promise<Resource[]> {
  const [access, query] = await takenOfList(asked, withWhere(asked, said))
  return refusingSlow(access, query, () => readList(access, query))
}

async function readList(access: Access, query: IndexQuery): Promise<Resource[]> {
  const lean = query.withoutMeta === true ? query : Object.assign({}, query, { withoutMeta: true })
  const reading = await openPage(access, lean, windowOf(access.entity, query))
  return reading === null ? [] : readResources(reading)
}

/** Counts the records that the user may see and the query matches. */
export async function countRecords(asked: Access, said: IndexQuery): Promise<number> {
  const [access, query] = await takenOfList(asked, withWhere(asked, said))
  const filter = await matching(access, query)
  if (filter === false) return 0
  const { caller } = budgetOf(access.entity, query)
  return refusingSlow(access, query, () => count(access.entity, filter, caller))
}

/**
 * Returns the filter of an index; throws 401 where there is no user and the policy shows nothing
 * without one.
 */
export async function matching(access: Access, query: IndexQuery): Promise<Test> {
  const visible = await visibleRows(access)
  const filter = answersTest(access.entity, [visible, ...(await narrowed(access, query))])
  if (filter === false && (await isClosed(access))) throw unauthenticated()
  return query.tests === undefined ? filter : all(access, [filter, ...query.tests])
}

/** Prepares the reading of a list; null: it has no records. */
export async function openPage(
  access: Access,
  query: IndexQuery,
  { perPage, offset }: Pick<Window, 'perPage' | 'offset'>,
): Promise<Reading | null> {
  const included = includedBy(access, query)
  const terms = await sorted(access, query)
  const filter = await matching(access, query)
  if (filter === false || filter === null) return null
  const flags = await flagsFor(access, query)
  const { relatedMetaOnIndex } = access.entity.settings
  const relatedMeta = flags !== null && (query.withMeta === true || relatedMetaOnIndex)
  const tail = pageTail(access, terms, perPage, offset)
  const budget = budgetOf(access.entity, query)
  return { access, included, query, filter, flags, budget, most: perPage, tail, relatedMeta }
}

const pageTail = (
  access: Access,
  terms: readonly SortTerm[],
  perPage: Parameter | Slot,
  offset: Parameter | Slot,
): Sql =>
  sql` order by ${orderBy(orderKeys(access, terms, 't0'))} limit ${perPage} offset ${offset}`

export async function count(entity: Entity, filter: Test, caller: Caller): Promise<number> {
  if (filter === false || filter === null) return 0
  const [row] = await read(entity.database, countOf(entity, filter), caller)
  return Number(row?.[0])
}

const countOf = (entity: Entity, filter: Test): Sql =>
  sql`select count(*) from ${table(entity.table, 't0')}${where(filter, { entity })}`

export interface Window {
  readonly page: number
  readonly perPage: number
  readonly offset: number
}

export function windowOf({ settings, perPage: usual = 15 }: Entity, query: IndexQuery): Window {
  const { window } = query
  const asked = positive('perPage', window?.limit ?? query.perPage ?? usual)
  const perPage = Math.min(asked, settings.maxPerPage)
  if (window !== undefined) {
    const { offset } = window
    return { page: Math.floor(offset / perPage) + 1, perPage, offset }
  }
  const page = positive('page', query.page ?? 1)
  const offset = (page - 1) * perPage
  if (Number.isSafeInteger(offset)) return { page, perPage, offset }
  throw badParameter('page', 'is too large')
}
