import type { Access, Extension, ListFilter, QueryPart } from '../model/entity.js'
import type { RequestPart } from '../model/exchange.js'
import { maySeeSome } from '../policy/gates.js'
import { badParameter, type IndexQuery, type MatchValue, type ShowQuery } from './query.js'

type Of = 'list' | 'record'

/** The parameters that extensions read of a list, or of one record. */
export const parametersOf = ({ extensions }: Pick<Access, 'extensions'>, of: Of): RequestPart[] => {
  const operation = of === 'list' ? 'index' : 'show'
  return extensions
    .flatMap(({ says }) => says?.parts ?? [])
    .filter((part) => part.in === 'query' && part.of.includes(operation))
}

/** Lists the extensions' parts that change the query of a list or of one record. */
export const partsOf = ({ extensions }: Pick<Access, 'extensions'>, of: Of): QueryPart[] =>
  extensions.flatMap(({ read }) => {
    const asks = read?.asks
    return asks?.of === 'both' || asks?.of === of ? [asks] : []
  })

/** Lists the filters that extensions add to lists. */
export const filtersOf = (extensions: readonly Extension[]): readonly ListFilter[] =>
  extensions.flatMap(({ read }) => read?.filter ?? [])

/** A query of a list without what extensions read of it, which is in `access.parameters`. */
export function takenOfList(access: Access, query: IndexQuery): Taken<IndexQuery> {
  if (access.extensions.length === 0 || query.match === undefined) return [access, query]
  return taken(access, 'list', query, query.match, (match) => ({ match }))
}

/** Applies the extensions' parameters to a query for one record. */
export function takenOfRecord(access: Access, query: ShowQuery): Taken<ShowQuery> {
  if (access.extensions.length === 0 || query.unread === undefined) return [access, query]
  return taken(access, 'record', query, query.unread, (unread) => ({ unread }))
}

/** Reads the parameters of a request for one record, and leaves its query alone. */
export function sayingOfRecord(access: Access, { unread = [] }: ShowQuery): Access {
  return saying(access, readKnown(parametersOf(access, 'record'), [], unread).said)
}

type Pair<Query> = readonly [Access, Query]
type Taken<Query> = Pair<Query> | Promise<Pair<Query>>

function taken<Query extends ShowQuery>(
  access: Access,
  of: Of,
  query: Query,
  sent: readonly MatchValue[],
  leaving: (others: readonly MatchValue[]) => Partial<Query>,
): Taken<Query> {
  const known = parametersOf(access, of)
  const parts = partsOf(access, of)
  if (sent.length === 0 || (known.length === 0 && parts.length === 0)) return [access, query]
  const { said, asked, others } = readKnown(known, parts, sent)
  const rest: Query = Object.assign({}, query, leaving(others))
  return asked.size === 0
    ? [saying(access, said), rest]
    : changed(saying(access, said), rest, asked)
}

/** The features that were asked, in the order of the extensions. */
async function changed<Query extends ShowQuery>(
  access: Access,
  query: Query,
  asked: ReadonlyMap<QueryPart, readonly MatchValue[]>,
): Promise<Pair<Query>> {
  let now = query
  for (const { read } of access.extensions) {
    const asks = read?.asks
    const values = asks && asked.get(asks)
    if (asks !== undefined && values !== undefined) now = await asks.change(access, now, values)
  }
  return [access, now]
}

function saying(asked: Access, parameters: ReadonlyMap<string, unknown>): Access {
  if (parameters.size === 0) return asked
  const access: Access = Object.assign({}, asked, { parameters })
  const more = access.extensions.flatMap(({ says }) =>
    (says?.parts ?? []).flatMap(({ name, shows = [] }) => (parameters.has(name) ? shows : [])),
  )
  const shown = [...asked.shown, ...more.filter((name) => maySeeSome(access, name))]
  return Object.assign({}, access, { shown })
}

/** `filter[name]` means the column `name`, whatever parameters there are. */
function readKnown(
  known: readonly RequestPart[],
  parts: readonly QueryPart[],
  values: readonly MatchValue[],
) {
  const said = new Map<string, unknown>()
  const asked = new Map<QueryPart, MatchValue[]>()
  const others: MatchValue[] = []
  for (const value of values) {
    const isColumn = value.isFilter === true || value.negated
    const parameter = isColumn ? undefined : named(known, value.column)
    const part = isColumn ? undefined : parts.find(({ names }) => names.includes(bareName(value)))
    if (parameter !== undefined) {
      const read = parameter.read(value.text)
      if ('problem' in read) throw badParameter(parameter.name, read.problem)
      said.set(parameter.name, read.value)
    } else if (part === undefined) others.push(value)
    else asked.set(part, [...(asked.get(part) ?? []), value])
  }
  return { said, asked, others }
}

const named = (known: readonly RequestPart[], name: string) =>
  known.find((each) => each.name === name)

/** `fields[posts]` is `fields`. */
export const bareName = ({ column }: Pick<MatchValue, 'column'>): string =>
  column.split('[', 1)[0] ?? column
