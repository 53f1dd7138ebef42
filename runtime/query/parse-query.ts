import { badRequest, type FieldErrors } from '../errors.js'
import type { Budget } from '../features/relations/budget.js'
import {
  type IncludeLimits,
  type IncludeTree,
  type MatchValue,
  parseInclude,
  type SortKey,
} from '../features/relations/parse-include.js'

export type { MatchValue, SortKey } from '../features/relations/parse-include.js'

/** What a show request asks for. */
export interface ShowQuery {
  /** Attributes to read; null or left out: all that the user may see. */
  readonly columns?: readonly string[] | null
  /**
   * For surfaces that show no `meta`: nothing is read for it, and `relationships` is always there.
   * They have checked the tree themselves: how deep it may be, and that its keys are declared.
   */
  readonly withoutMeta?: boolean
  /** Shared by several reads of one request; else each has one of its own. */
  readonly budget?: Budget
  readonly include?: IncludeTree
  /** Page size of every related collection; null: each repository's own. */
  readonly relatablePerPage?: number | null
  /** Show `meta` of related resources on an index too. */
  readonly withMeta?: boolean
}

/** What an index request asks for. */
export interface IndexQuery extends ShowQuery {
  /** From 1. */
  readonly page?: number
  /** Null: the repository's own page size. */
  readonly perPage?: number | null
  readonly search?: string | null
  readonly sort?: readonly SortKey[]
  readonly match?: readonly MatchValue[]
}

/** What a request without a query string asks for. */
export const emptyQuery: IndexQuery = Object.freeze({})

/** Generous: repositories hold the depth that `config/svc.ts` sets. */
const grammarLimits: IncludeLimits = { maxDepth: 32, maxPaths: 100 }

/** Characters of a search; longer is 400. */
const maxSearch = 1000

interface Draft {
  readonly include: [string, string][]
  readonly match: Map<string, MatchValue>
  readonly sort: SortKey[]
  readonly numbers: Map<Count, number>
  search: string | null
  withMeta: boolean
}

type Count = 'page' | 'perPage' | 'relatablePerPage'

/** Reads the query of an index request; 400 with every parameter that cannot be read. */
export function parseIndexQuery(
  parameters: URLSearchParams,
  limits: IncludeLimits = grammarLimits,
): IndexQuery {
  const draft = readParameters(parameters)
  return {
    page: draft.numbers.get('page') ?? 1,
    perPage: draft.numbers.get('perPage') ?? null,
    search: draft.search,
    sort: draft.sort,
    match: [...draft.match.values()],
    ...related(draft, limits),
  }
}

/** Reads the query of a show request; what only an index knows is ignored. */
export function parseShowQuery(
  parameters: URLSearchParams,
  limits: IncludeLimits = grammarLimits,
): ShowQuery {
  return related(readParameters(parameters), limits)
}

function related(draft: Draft, limits: IncludeLimits): ShowQuery {
  return {
    include: parseInclude(draft.include, limits),
    relatablePerPage: draft.numbers.get('relatablePerPage') ?? null,
    withMeta: draft.withMeta,
  }
}

const counts = new Map<string, Count>([
  ['page', 'page'],
  ['page[number]', 'page'],
  ['perPage', 'perPage'],
  ['page[size]', 'perPage'],
  ['relatablePerPage', 'relatablePerPage'],
])

function readParameters(parameters: URLSearchParams): Draft {
  const draft: Draft = {
    include: [],
    match: new Map(),
    sort: [],
    numbers: new Map(),
    search: null,
    withMeta: false,
  }
  const errors = new Map<string, string>()
  for (const [name, text] of parameters) {
    const count = counts.get(name)
    const problem =
      count === undefined ? readText(draft, name, text) : readCount(draft, count, text)
    if (problem !== null) errors.set(name, `The ${name} parameter ${problem}.`)
  }
  const [first] = errors.values()
  if (first !== undefined) throw badRequest(first, fieldErrors(errors))
  return draft
}

function fieldErrors(errors: ReadonlyMap<string, string>): FieldErrors {
  return Object.fromEntries([...errors].map(([name, text]) => [name, [text]]))
}

/** What no search may be, or null. */
export function searchProblem(text: string): string | null {
  if (text.length > maxSearch) return `must not be longer than ${maxSearch} characters`
  return textProblem(text)
}

/** What no value that is looked for may be, or null. */
export function textProblem(text: string): string | null {
  return text.includes('\0') ? 'must not contain a NUL character' : null
}

/** Returns what is wrong, or null. */
function readCount(draft: Draft, count: Count, text: string): string | null {
  if (!/^\d+$/.test(text) || Number(text) < 1) return 'must be a positive integer'
  const value = Number(text)
  if (count === 'page' && value > Number.MAX_SAFE_INTEGER) return 'is too large'
  draft.numbers.set(count, value)
  return null
}

function readText(draft: Draft, name: string, text: string): string | null {
  switch (name.replace(/\[\]$/, '')) {
    case 'include':
    case 'related':
      draft.include.push([name, text])
      return null
    case 'sort':
      for (const key of text.split(',')) addSort(draft, key.trim())
      return null
    case 'search':
      return readSearch(draft, text)
    case 'withMeta':
      draft.withMeta = text === 'true' || text === '1'
      return null
    default:
      return readMatch(draft, name, text)
  }
}

function addSort(draft: Draft, text: string): void {
  const descending = text.startsWith('-')
  const key = text.replace(/^[-+ ]/, '')
  if (key !== '') draft.sort.push({ key, descending })
}

function readSearch(draft: Draft, text: string): string | null {
  const problem = searchProblem(text)
  if (problem !== null) return problem
  draft.search = text.trim() === '' ? null : text.trim()
  return null
}

/** The last of several parameters for one column counts. */
function readMatch(draft: Draft, name: string, text: string): string | null {
  const inner = name.startsWith('filter[') && name.endsWith(']') ? name.slice(7, -1) : name
  const problem = textProblem(text)
  if (problem !== null) return problem
  const negated = inner.startsWith('-')
  draft.match.set(inner, { column: negated ? inner.slice(1) : inner, negated, text })
  return null
}
