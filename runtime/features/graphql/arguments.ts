import { isRecord } from '../../model/get-own.js'
import { type ListPart, type MatchValue, positive, type SortKey } from '../../query/query.js'

/** The arguments of a list, checked by the schema, as an index reads them. */
export function listArguments(args: object): Required<ListPart> {
  const { first, page, search, sort, match, ...asked } = args as ListArguments // what the schema declares
  return {
    asked: Object.keys(asked).length === 0 ? undefined : asked,
    page: positive('page', page ?? 1),
    perPage: first === undefined || first === null ? null : positive('first', first),
    search: search?.trim() || null,
    sort: sort?.map(sortKey) ?? [],
    match: matchValues(match ?? {}, false),
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

/** `{ title: 'a', not: { status: ['open'] } }` as REST sends it; `not` inside `not` cancels. */
function matchValues(match: object, negated: boolean): MatchValue[] {
  return Object.entries(match).flatMap(([column, value]) =>
    isRecord(value) ? matchValues(value, !negated) : [matchValue(column, value, negated)],
  )
}

const matchValue = (column: string, value: unknown, negated: boolean): MatchValue => ({
  column,
  negated,
  isFilter: true,
  // A list (of an enum) becomes its items with commas between them, as in a query string.
  text: value === null ? 'null' : String(value),
})
