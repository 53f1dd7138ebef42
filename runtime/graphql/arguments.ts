import type { IndexQuery, MatchValue, SortKey } from '../kernel/query.js'

/** The arguments of a list, checked by the schema, as an index reads them. */
export function listArguments(args: object): IndexQuery {
  const { first, page, search, sort, match } = args as ListArguments // what the schema declares
  return {
    ...(first === undefined || first === null ? {} : { perPage: first }),
    ...(page === undefined || page === null ? {} : { page }),
    ...(search === undefined || search === null ? {} : { search: search.trim() || null }),
    ...(sort === undefined || sort === null ? {} : { sort: sort.map(sortKey) }),
    ...(match === undefined || match === null ? {} : { match: matchValues(match) }),
  }
}

interface ListArguments {
  readonly first?: number | null
  readonly page?: number | null
  readonly search?: string | null
  readonly sort?: readonly string[] | null
  readonly match?: object | null
}

const sortKey = (text: string): SortKey =>
  text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false }

/** `{ title: 'a', not: { owner_id: '1' } }`: the texts that REST reads. */
function matchValues(match: object): MatchValue[] {
  return Object.entries(match).flatMap(([column, value]) => {
    const negated = typeof value === 'object' && value !== null
    if (!negated) return [matchValue(column, value, false)]
    return Object.entries(value).map(([name, text]) => matchValue(name, text, true))
  })
}

const matchValue = (column: string, value: unknown, negated: boolean): MatchValue => ({
  column,
  negated,
  text: value === null ? 'null' : String(value),
})
