import type { Column } from '../model/columns.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, ListFilter } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import type { Match, MatchType } from '../model/matching.js'
import type { SortKey } from '../model/queries.js'
import type { SortTerm } from '../model/sql-test.js'
import { combine } from '../policy/condition.js'
import { andSeen, maySee, maySeeSome, seenValue } from '../policy/gates.js'
import { identifier, join, raw, type Sql, sql } from '../sql/sql.js'
import { bareName, filtersOf } from './extension-parameters.js'
import { listWords, recordWords, searchProblem, textProblem } from './parse-query.js'
import { badParameter, type ListPart, type MatchValue } from './query.js'

/** Returns the conditions of a list's filters: they become SQL like a policy's. */
export async function narrowed(access: Access, query: ListPart): Promise<readonly unknown[]> {
  const { match = [], search = null } = query
  const [filters, others] = await filtered(access, match, query.asked)
  const conditions = [...filters, ...matched(access, others, query.inBody)]
  if (search === null) return conditions
  requireSearch(search)
  return [...conditions, ...(await searched(access, search, query.isOneOfMany))]
}

/** 400 for a text that is too long: it is refused before anything splits it into words. */
function requireSearch(text: string): void {
  const problem = searchProblem(text)
  if (problem !== null) throw badParameter('search', problem)
}

/** Asks extensions for their filters, and lists the parameters that none of them reads. */
async function filtered(
  access: Access,
  values: readonly MatchValue[],
  asked: ListPart['asked'],
): Promise<readonly [readonly unknown[], readonly MatchValue[]]> {
  const { extensions } = access
  if (extensions.length === 0 || (values.length === 0 && asked === undefined)) return [[], values]
  const conditions: unknown[] = []
  let others = values
  for (const filter of filtersOf(extensions)) {
    const isOurs = (value: MatchValue) =>
      mayBeFilter(value) && filter.takes(access, value.column, value)
    const said = others.filter(isOurs)
    if (said.length === 0 && asked === undefined) continue
    others = others.filter((value) => !isOurs(value))
    const own = asked === undefined ? {} : askedOf(filter, access, asked)
    conditions.push(...(await filter.conditions(access, said, own)))
  }
  return [conditions, others]
}

/** Leaves out what another filter alone reads. */
function askedOf(
  filter: ListFilter,
  { extensions }: Access,
  asked: NonNullable<ListPart['asked']>,
): NonNullable<ListPart['asked']> {
  const owned = filtersOf(extensions).flatMap((each) => (each === filter ? [] : ownedBy(each)))
  if (owned.length === 0) return asked
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !owned.includes(name)))
}

const ownedBy = ({ owns = [] }: ListFilter): readonly string[] => owns

/** Returns the first key that a feature filters by. */
export const askedFilter = ({ extensions }: Access, asked: ListPart['asked']): string | undefined =>
  asked &&
  filtersOf(extensions)
    .flatMap(ownedBy)
    .find((name) => (asked[name] ?? null) !== null)

const words: ReadonlySet<string> = new Set([...listWords, ...recordWords])

/** A column called `page` is filtered by `filter[page]` only. */
const mayBeFilter = (value: MatchValue): boolean =>
  value.isFilter === true || !words.has(bareName(value))

/**
 * Parameters that are no match column are ignored, or (strict queries) 400. Of a column that is sent
 * more than once all values are looked for, as with commas; where its type takes one, the last
 * counts, or (strict queries) it is 400.
 */
function matched(access: Access, values: readonly MatchValue[], inBody = false): unknown[] {
  const { entity } = access
  const { strict } = entity.settings
  return perColumn(values).flatMap((said) => {
    const { column: name } = said
    const type = getOwn(entity.match?.types, name)
    if (entity.match === undefined || type === undefined || !maySeeSome(access, name)) {
      if (strict !== null) throw strict.parameter(access, name, 'list', inBody)
      return []
    }
    const { read } = entity.match
    const column = columnNamed(entity, name)
    const condition = readBy(access, said, type, (texts) => read(column, type, texts, said.negated))
    return [andSeen(access, name, condition)]
  })
}

/** Reads the parameters of one name; throws 400 where they cannot be read. */
export function readBy(
  { entity: { settings } }: Access,
  { column: name, texts: sent, times }: ColumnMatch,
  type: MatchType,
  read: (texts: readonly string[]) => Match,
): unknown {
  const isOne = type === 'partial' || type === 'boolean'
  if (isOne && sent.length > 1 && settings.strict !== null) {
    throw badParameter(name, 'must not be sent more than once')
  }
  // From a value to the same one: two that are sent apart.
  const isRange =
    type === 'between' && times === 2 && sent.length === 1 && !sent.join().includes(',')
  const texts = isOne ? sent.slice(-1) : isRange ? [...sent, ...sent] : sent
  for (const text of texts) {
    const problem = type === 'partial' ? searchProblem(text) : textProblem(text)
    if (problem !== null) throw badParameter(name, problem)
  }
  const match = read(texts)
  if ('condition' in match) return match.condition
  throw badParameter(name, `must be ${match.problem}`)
}

export interface ColumnMatch extends Pick<MatchValue, 'column' | 'negated'> {
  readonly texts: readonly string[]
  /** The number of times it was sent. */
  readonly times: number
}

/** `title=a&filter[title]=b` speaks of one column twice. The same text twice is once. */
export function perColumn(values: readonly MatchValue[]): readonly ColumnMatch[] {
  const columns = new Map<string, ColumnMatch>()
  for (const { column, negated, text } of values) {
    const key = `${negated} ${column}`
    const { texts: before = [], times = 0 } = columns.get(key) ?? {}
    const texts = [...new Set(before).add(text)]
    columns.set(key, { column, negated, texts, times: times + 1 })
  }
  return [...columns.values()]
}

/**
 * Own columns, or those of a record it belongs to and that the user may see. Where there is nothing
 * to search, a search does nothing, or (strict queries) is 400.
 */
async function searched(
  access: Access,
  text: string,
  isOneOfMany: ListPart['isOneOfMany'],
): Promise<unknown[]> {
  const { searchable = [], relations } = access.entity
  const own = ownSearch(access)
  const columnTests =
    own === undefined
      ? searchTests(access, searchable, text)
      : [own.condition(access, text) ?? []].flat()
  const tests = [...columnTests, ...((await relations?.search(access, text)) ?? [])]
  if (tests.length > 0) return [combine('any', tests)]
  if (isOneOfMany) return [false]
  const { key, settings } = access.entity
  if (settings.strict === null) return []
  throw badParameter('search', `cannot be answered: ${key} have nothing to search`)
}

const ownSearch = ({ extensions }: Access) =>
  extensions.find(({ read }) => read?.search)?.read?.search

/** Text is found anywhere inside; a number or an id only whole; JSON never. */
export function searchTests(access: Access, names: readonly string[], text: string): unknown[] {
  const columns = names.filter((name) => maySeeSome(access, name))
  return columns.map((name) =>
    andSeen(access, name, searchTest(name, columnNamed(access.entity, name), text)),
  )
}

function searchTest(name: string, { storage }: Column, text: string): unknown {
  if (storage.searched === 'part') return { [name]: { containsAnyCase: text } }
  const key = storage.searched === 'key' ? storage.key?.fromText(text) : undefined
  return key !== undefined && { [name]: key }
}

/** Keys that one list may be asked to be sorted by. */
export const mostSortKeys = 100

/**
 * The order asked for, as far as it is declared; each column counts once. Where none is, a search may
 * have one.
 */
export async function sorted(
  access: Access,
  { sort: keys = [], search = null }: Pick<ListPart, 'sort' | 'search'> = {},
): Promise<SortTerm[]> {
  if (search !== null) requireSearch(search)
  if (keys.length > mostSortKeys) {
    throw badParameter('sort', `must have at most ${mostSortKeys} keys`)
  }
  const { strict } = access.entity.settings
  const terms = new Map<string, SortTerm>()
  for (const { key, descending } of keys) {
    if (terms.has(key)) continue
    const term = await sortTerm(access, key, descending)
    if (term !== null) terms.set(key, term)
    else if (strict !== null) throw strict.key(access, 'sort', key, await sortKeys(access))
  }
  if (terms.size > 0 || search === null) return [...terms.values()]
  return [ownSearch(access)?.order(access, search) ?? []].flat()
}

async function sortTerm(
  access: Access,
  key: string,
  descending: boolean,
): Promise<SortTerm | null> {
  const { entity } = access
  for (const { read } of access.extensions) {
    const order = read?.order
    if (order?.keys.includes(key) === true) return order.term(access, key, descending)
  }
  if (key.includes('.')) return (await entity.relations?.sort(access, key, descending)) ?? null
  if (entity.sort?.includes(key) !== true) return null
  return columnTerm(access, { key, descending }, columnNamed(entity, key))
}

/**
 * The order by a column, as this user sees it: rows in which they do not see its value come last, as
 * NULL does. Null: they see it in no row.
 */
export function columnTerm(
  access: Access,
  { key, descending }: SortKey,
  column: Column,
): SortTerm | null {
  const { field, name, nullable } = column
  if (!maySeeSome(access, field)) return null
  const isWhole = maySee(access, field)
  const value = (alias: string) => seenValue(access, field, alias, identifier(alias, name))
  const term = { key, descending, value, mayBeNull: nullable || !isWhole, column }
  // No index has the order of values of which a part is hidden.
  return isWhole ? Object.assign(term, { isOwn: true as const }) : term
}

/** Lists the keys that this user may sort by. */
export async function sortKeys(access: Access): Promise<readonly string[]> {
  const { sort = [], relations } = access.entity
  const more = access.extensions.flatMap(({ read }) => read?.order?.keys ?? [])
  const keys = [...sort, ...(relations?.sortKeys ?? []), ...more]
  const terms = await Promise.all(keys.map((key) => sortTerm(access, key, false)))
  return keys.filter((_, at) => terms[at] !== null)
}

/** One key of ORDER BY: what is compared, and which way. */
export interface OrderKey {
  readonly value: Sql
  readonly direction: Sql
}

/**
 * How the rows of the table called `alias` are ordered: the terms, then the key, newest first, so
 * that every order is total. NULL is the smallest value on SQLite and the largest on PostgreSQL,
 * and an index serves only the order left unsaid: it is named only where it must be.
 */
export function orderKeys(
  { entity }: Pick<Access, 'entity'>,
  terms: readonly SortTerm[],
  alias: string,
): readonly OrderKey[] {
  const isSqlite = entity.dialect === 'sqlite'
  const keys = terms.map(({ value, descending, mayBeNull }): OrderKey => {
    const isLast = mayBeNull && (isSqlite ? !descending : descending)
    const direction = `${descending ? 'desc' : 'asc'}${isLast ? ' nulls last' : ''}`
    return { value: value(alias), direction: raw(direction) }
  })
  const isTotal = terms.some(({ key }) => key === 'id')
  const key = { value: identifier(alias, entity.id.name), direction: raw('desc') }
  return isTotal ? keys : [...keys, key]
}

export const orderBy = (keys: readonly OrderKey[]): Sql =>
  join(keys.map(({ value, direction }) => sql`${value} ${direction}`))
