import { isRecord } from '../../model/get-own.js'
import {
  type ListPart,
  type MatchValue,
  positive,
  saysNothing,
  type SortKey,
} from '../../query/query.js'

/** The arguments of a list, checked by the schema, as an index reads them. */
export function listArguments(
  args: object,
): Required<Omit<ListPart, 'inBody' | 'isOneOfMany' | 'window'>> {
  const { first, page, search, sort, match, ...asked } = args as ListArguments // what the schema declares
  return {
    asked: Object.keys(asked).length === 0 ? undefined : asked,
    page: positive('page', page ?? 1),
    perPage: first === undefined || first === null ? null : positive('first', first),
    search: search?.trim() || null,
    sort: sort?.map(sortKey) ?? [],
    match: matchValues(match ?? {}, { negated: false, path: 'match' }),
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

/**
 * `{ title: 'a', not: { status: ['open'] } }` as REST sends it; `not` inside `not` cancels. What
 * stands in other objects has a name with dots: `{ owner: { name: 'Ann' } }` is `owner.name=Ann`,
 * and `{ owner: { exists: true } }` is `owner=true`.
 */
function matchValues(match: object, { negated, path, above = '' }: Place): MatchValue[] {
  return Object.entries(match).flatMap(([key, value]) => {
    if (!isRecord(value)) return [matchValue(nameOf(above, key, value), value, negated)]
    const at = `${path}.${key}`
    if (Object.keys(value).length === 0) throw saysNothing(at)
    if (above === '' && key === 'not') return matchValues(value, { negated: !negated, path: at })
    return matchValues(value, { negated, path: at, above: `${above}${key}.` })
  })
}

interface Place {
  readonly negated: boolean
  /** The place in errors: `match.not.tags`. */
  readonly path: string
  readonly above?: string
}

/** Columns are matched by texts. */
const nameOf = (above: string, key: string, value: unknown): string =>
  key === 'exists' && typeof value === 'boolean' ? above.slice(0, -1) : above + key

const matchValue = (column: string, value: unknown, negated: boolean): MatchValue => ({
  column,
  negated,
  isFilter: true,
  // A list (of an enum) becomes its items with commas between them, as in a query string.
  text: value === null ? 'null' : String(value),
})
