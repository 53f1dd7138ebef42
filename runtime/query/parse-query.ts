import { badRequest } from '../errors.js'
import type { IndexQuery, MatchValue, ShowQuery, SortKey } from './query.js'

/** Characters of a search; longer is 400, for each costs a pass over the text of every row. */
const maxSearch = 200

/** Names with a meaning of their own: of a list, and of whatever is read. */
export const listWords: readonly string[] = ['page', 'perPage', 'sort', 'search']
export const recordWords: readonly string[] = ['include', 'related', 'withMeta', 'relatablePerPage']

interface QueryParameters {
  readonly include: [string, string][]
  readonly match: MatchValue[]
  readonly sort: SortKey[]
  readonly numbers: Map<NumberName, number>
  search: string | null
  withMeta: boolean
}

type NumberName = 'page' | 'perPage' | 'relatablePerPage'

/** Reads the query of an index request; 400 with every parameter that cannot be read. */
export function parseIndexQuery(parameters: URLSearchParams): IndexQuery {
  const found = readParameters(parameters)
  return {
    page: found.numbers.get('page'),
    perPage: found.numbers.get('perPage') ?? null,
    search: found.search,
    sort: found.sort,
    match: found.match,
    ...relatedOf(found),
  }
}

/** Reads the query of a show request, which knows nothing of what only an index knows. */
export function parseShowQuery(parameters: URLSearchParams): ShowQuery {
  const found = readParameters(parameters)
  const { match, numbers, sort, search } = found
  const unknown = [
    ...[...numbers.keys()].filter((name) => name !== 'relatablePerPage'),
    ...(sort.length > 0 ? ['sort'] : []),
    ...(search === null ? [] : ['search']),
  ]
  return { unknown, unread: match, ...relatedOf(found) }
}

function relatedOf({ include, numbers, withMeta }: QueryParameters): ShowQuery {
  return { include, relatablePerPage: numbers.get('relatablePerPage') ?? null, withMeta }
}

const numberNames = new Map<string, NumberName>([
  ['page', 'page'],
  ['page[number]', 'page'],
  ['perPage', 'perPage'],
  ['page[size]', 'perPage'],
  ['relatablePerPage', 'relatablePerPage'],
])

/** Others of which a list has one. */
const singles = new Set(['search', 'withMeta'])

function readParameters(parameters: URLSearchParams): QueryParameters {
  const found: QueryParameters = {
    include: [],
    match: [],
    sort: [],
    numbers: new Map(),
    search: null,
    withMeta: false,
  }
  const problems = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, text] of parameters) {
    const number = numberNames.get(name)
    const one = number ?? (singles.has(name) ? name : null)
    const isAgain = one !== null && seen.has(one)
    if (one !== null) seen.add(one)
    const problem = isAgain
      ? 'is given more than once'
      : number === undefined
        ? readText(found, name, text)
        : readNumber(found, number, text)
    if (problem !== null) problems.set(name, `The ${name} parameter ${problem}.`)
  }
  const [first] = problems.values()
  if (first === undefined) return found
  throw badRequest(first, Object.fromEntries([...problems].map(([name, text]) => [name, [text]])))
}

/** Returns the problem with a search text, or null. */
export function searchProblem(text: string): string | null {
  if (text.length > maxSearch) return `must not be longer than ${maxSearch} characters`
  return textProblem(text)
}

/** Returns the problem with a value of a filter, or null. */
export function textProblem(text: string): string | null {
  return text.includes('\0') ? 'must not contain a NUL character' : null
}

/** Returns what is wrong, or null. */
function readNumber({ numbers }: QueryParameters, name: NumberName, text: string): string | null {
  if (!/^\d+$/.test(text) || Number(text) < 1) return 'must be a positive integer'
  const value = Number(text)
  if (name === 'page' && value > Number.MAX_SAFE_INTEGER) return 'is too large'
  numbers.set(name, value)
  return null
}

function readText(found: QueryParameters, name: string, text: string): string | null {
  switch (name.replace(/\[\]$/, '')) {
    case 'include':
    case 'related':
      found.include.push([name, text])
      return null
    case 'sort':
      found.sort.push(...text.split(',').flatMap(sortKeys))
      return null
    case 'search':
      found.search = text.trim() === '' ? null : text.trim()
      return searchProblem(text)
    case 'withMeta':
      found.withMeta = text === 'true' || text === '1'
      return found.withMeta || text === 'false' || text === '0' ? null : 'must be true or false'
    default:
      return readMatch(found, name, text)
  }
}

function sortKeys(text: string): SortKey[] {
  const key = text.trim().replace(/^[-+ ]/, '')
  return key === '' ? [] : [{ key, descending: text.trim().startsWith('-') }]
}

/**
 * What several parameters for one column mean, says `matched` of filter.ts: `title[]` is one of
 * several, as many clients write a list.
 */
function readMatch({ match }: QueryParameters, sent: string, text: string): string | null {
  const name = sent.replace(/(?<=.)\[\]$/, '')
  const isFilter = name.startsWith('filter[') && name.endsWith(']')
  const inner = isFilter ? name.slice(7, -1).replace(/\]\[(.*)$/, '[$1]') : name
  const negated = inner.startsWith('-')
  const column = (negated ? inner.slice(1) : inner) || name
  match.push({ column, negated, isFilter, text })
  return textProblem(text)
}
