import { boolean } from '../../kinds/boolean.js'
import type { Column } from '../../model/columns.js'
import type { Access, Extension } from '../../model/entity.js'
import { getOwn, isRecord } from '../../model/get-own.js'
import type { Match, MatchType } from '../../model/matching.js'
import type { MatchValue } from '../../model/queries.js'
import { type ColumnMatch, perColumn, readBy } from '../../query/filter.js'
import { readMatch } from '../../query/match.js'
import { badParameter } from '../../query/query.js'
import { conditionsOf, ofPivot, type SentFilter } from './conditions.js'
import { type FilterTypes, findFilter, type RelationFilter } from './find-filter.js'
import { anyMorph, readMorph } from './morph-filter.js'

/** How columns are compared by words, `seller.name[startsWith]=La`, where a project has that. */
interface Comparing {
  /** Those of a column. */
  words(column: Column, type: MatchType): readonly string[]
  /** A condition of the column; 400 where it cannot be read. */
  sent(compared: Compared, word: string, said: Pick<MatchValue, 'negated' | 'text'>): unknown
  /** The same of a value that is no text. */
  typed(compared: Compared, word: string, value: unknown): unknown
  /** Whether no index serves it. */
  isScan(word: string): boolean
}

interface Compared {
  readonly name: string
  readonly column: Column
  readonly type: MatchType
}

/** What a repository declares, and what its columns are compared by besides. */
interface Declared {
  readonly types: FilterTypes
  readonly comparing: Comparing | null
}

/**
 * Filters by related records that the user may see: `seller.name=Ada`, `tags.id=1,2`, `reviews=false`.
 * Each relation is an EXISTS under the policy of its repository. All that is said of one relation
 * speaks of one record; with a minus, of none of several.
 *
 * @example extensions: [relationFilters({ 'seller.name': 'text', reviews: 'exists' })]
 */
export function relationFilters(
  types: FilterTypes,
  { comparing = null }: { readonly comparing?: Comparing | null } = {},
): Extension {
  const declared = { types, comparing }
  return {
    filter: {
      takes: (access, name) => sentFilter(access, declared, name) !== null,
      names: (access) => Object.keys(types).flatMap((name) => namesOf(access, declared, name)),
      isScan: ({ match, where }) => isScan(declared, match) || hasScan(declared, where),
      conditions: (access, said, { where }) =>
        conditionsOf([...sent(access, declared, said), ...typed(access, declared, where)]),
    },
  }
}

function namesOf(access: Access, { types, comparing }: Declared, name: string): readonly string[] {
  const filter = findFilter(access, types, name)
  if (filter === null) return []
  const compared = comparedBy(filter)
  const words = compared === null ? [] : comparing?.words(compared.column, compared.type)
  return [name, ...(words ?? []).map((word) => `${name}[${word}]`)]
}

/** Null: it asks for no column. */
function comparedBy({ name, type, asks }: RelationFilter): Compared | null {
  if (type === 'exists' || (asks.kind !== 'column' && asks.kind !== 'pivot')) return null
  return { name, column: asks.column, type }
}

/** The filter of a parameter; `word` where it compares: `startsWith` of `seller.name[startsWith]`. */
function sentFilter(
  access: Access,
  { types, comparing }: Declared,
  name: string,
): { readonly filter: RelationFilter; readonly word: string | null } | null {
  const filter = findFilter(access, types, name)
  if (filter !== null) return { filter, word: null }
  const start = name.indexOf('[')
  if (comparing === null || start < 1 || !name.endsWith(']')) return null
  const compared = findFilter(access, types, name.slice(0, start))
  if (compared === null || comparedBy(compared) === null) return null
  return { filter: compared, word: name.slice(start + 1, -1) }
}

function sent(
  access: Access,
  declared: Declared,
  said: readonly MatchValue[],
): readonly SentFilter[] {
  const isCompared = ({ column }: MatchValue) => !Object.hasOwn(declared.types, column)
  const plain = perColumn(said.filter((value) => !isCompared(value)))
  return [
    ...plain.map((each) => matched(access, declared, each)),
    ...compared(access, declared, said.filter(isCompared)),
  ]
}

function matched(access: Access, { types }: Declared, said: ColumnMatch): SentFilter {
  const filter = findFilter(access, types, said.column)
  if (filter === null) throw badParameter(said.column, 'is not known')
  const { asks, type } = filter
  if (type === 'exists') return whether(access, said, filter)
  // What is wrong is said also where the condition is asked for later.
  const read = (negated: boolean): unknown => {
    if (asks.kind === 'morph') return readOfMorph(access, said, { filter, asks, negated })
    if (asks.kind === 'exists') return false
    const { column } = asks
    const condition = readBy(access, said, type, (texts) => readMatch(column, type, texts, negated))
    return asks.kind === 'pivot' ? ofPivot(condition) : condition
  }
  return { filter, negated: said.negated, condition: read }
}

/** `reviews=true`: there is one. */
function whether(access: Access, said: ColumnMatch, filter: RelationFilter): SentFilter {
  const { asks } = filter
  const read = ([text = '']: readonly string[]): Match => {
    const value = boolean.fromText(text, idOf(access))
    return typeof value === 'boolean' ? { condition: value } : { problem: 'true or false' }
  }
  const isThere = readBy(access, said, 'boolean', read) !== said.negated
  const condition = (negated: boolean) => (asks.kind === 'morph' ? anyMorph(asks, negated) : true)
  return { filter, negated: !isThere, condition }
}

const idOf = ({ entity }: Access): Column => entity.id

async function readOfMorph(
  access: Access,
  said: ColumnMatch,
  {
    filter: { type },
    asks,
    negated,
  }: {
    readonly filter: RelationFilter
    readonly asks: Extract<RelationFilter['asks'], { kind: 'morph' }>
    readonly negated: boolean
  },
): Promise<unknown> {
  const match = await readMorph(asks, said.texts, negated)
  return readBy(access, said, type === 'exists' ? 'boolean' : type, () => match)
}

function compared(
  access: Access,
  declared: Declared,
  said: readonly MatchValue[],
): readonly SentFilter[] {
  const seen = new Set<string>()
  return said.map(({ column: name, negated, text }) => {
    const found = sentFilter(access, declared, name)
    const of = found === null ? null : comparedBy(found.filter)
    if (found?.word === undefined || found.word === null || of === null || !declared.comparing) {
      throw badParameter(name, 'is not known')
    }
    if (seen.has(name)) throw badParameter(name, 'must not be sent more than once')
    seen.add(name)
    const condition = declared.comparing.sent(of, found.word, { negated, text })
    return comparison(found.filter, condition)
  })
}

const comparison = (filter: RelationFilter, condition: unknown): SentFilter => ({
  filter,
  negated: false,
  condition: () => (filter.asks.kind === 'pivot' ? ofPivot(condition) : condition),
})

/** `where: { seller: { name: { startsWith: 'La' } } }`, as GraphQL has checked it. */
function typed(access: Access, declared: Declared, where: unknown): readonly SentFilter[] {
  const { types, comparing } = declared
  if (comparing === null) return []
  const { strict } = access.entity.settings
  return testsIn(types, where).flatMap(([name, tests]) => {
    const filter = findFilter(access, types, name)
    const of = filter && comparedBy(filter)
    if (filter !== null && of !== null) {
      return Object.entries(tests).map(([word, value]) =>
        comparison(filter, comparing.typed(of, word, value)),
      )
    }
    if (strict !== null) throw strict.parameter(access, name, 'list')
    return []
  })
}

type Tests = Readonly<Record<string, unknown>>

/** By its name, what is tested of each column that objects below `where` lead to. */
function testsIn(types: FilterTypes, where: unknown, above = ''): readonly [string, Tests][] {
  if (!isRecord(where)) return []
  return Object.entries(where).flatMap(([key, value]): readonly [string, Tests][] => {
    const name = above + key
    if (!isRecord(value)) return []
    if (above !== '' && getOwn(types, name) !== undefined) return [[name, value]]
    const leads = Object.keys(types).some((each) => each.startsWith(`${name}.`))
    return leads ? testsIn(types, value, `${name}.`) : []
  })
}

const hasScan = ({ types, comparing }: Declared, where: unknown): boolean =>
  testsIn(types, where).some(([, tests]) =>
    Object.keys(tests).some((word) => comparing?.isScan(word) === true),
  )

/** What is found by a part of a text, or has no related record, may be anywhere. */
function isScan(declared: Declared, match: unknown, above = '', negated = false): boolean {
  if (!isRecord(match)) return false
  return Object.entries(match).some(([key, value]) => {
    if (isRecord(value)) {
      return above === '' && key === 'not'
        ? isScan(declared, value, '', true)
        : isScan(declared, value, `${above}${key}.`, negated)
    }
    if (above === '') return false
    if (key === 'exists' && typeof value === 'boolean') return true
    const type = getOwn(declared.types, above + key)
    return type !== undefined && (negated || type === 'partial')
  })
}
