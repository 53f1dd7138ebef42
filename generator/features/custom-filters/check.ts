import { columnsOf, type EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { aSentence, isRecord, show } from '../../blueprint/fields/shapes.js'
import { nearest, type Finding, type Path } from '../../blueprint/problems.js'
import { readRows } from '../reads/words.js'
import { filtersParameter } from './words.js'

// Types, and no interfaces: they are JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type CustomFilter = {
  readonly name: string
  readonly kind: 'boolean' | 'select' | 'multiSelect' | 'timestamp' | 'number' | 'text'
  /** Options of a select and a multiSelect. */
  readonly options?: readonly string[]
  readonly label?: string
  readonly placeholder?: string
  readonly description?: string
}

// oxlint-disable-next-line typescript/consistent-type-definitions
export type CustomSorter = Pick<CustomFilter, 'name' | 'label' | 'description'>

// oxlint-disable-next-line typescript/consistent-type-definitions
export type CustomFilters = {
  readonly match: readonly CustomFilter[]
  readonly sort: readonly CustomSorter[]
  readonly filters: readonly CustomFilter[]
}

const aFilters = {
  says: 'an object of filters',
  example: "{ ready: filter('boolean') }",
  holds: isRecord,
}

/** Checks the filters that `app/Filters` answers. */
export const customFiltersCheck: FeatureCheck = {
  repositoryOptions: { filters: aFilters },
  plain: (written) => {
    const { match, sort } = written
    return {
      ...written,
      ...(isRecord(match) ? { match: withoutMatchers(match) } : {}),
      ...(Array.isArray(sort) ? { sort: sort.map((each) => sorterIn(each)?.name ?? each) } : {}),
    }
  },
  sortKeys: (draft) => sortersOf(draft).map(({ sorter: { name } }) => name),
  facts: (_, { drafts, report }) => {
    for (const each of drafts.flatMap(wrongIn)) report(each)
    const all = drafts.flatMap((draft) => {
      const said = saidOf(draft)
      return said === null ? [] : [[draft.key, said] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

/** Reads a repository's custom filters from the blueprint; null: none. */
export const customFiltersFact = factOf<CustomFilters>('customFilters')

type Definition = Readonly<Record<string, unknown>>

/** Returns the definition of `matcher()` or `filter()`. */
function definitionIn(value: unknown, type: 'matcher' | 'filter'): Definition | null {
  const isIt = isRecord(value) && value['type'] === type && isRecord(value['definition'])
  return isIt ? (value['definition'] as Definition) : null
}

function sorterIn(
  value: unknown,
): { readonly name: string; readonly definition: Definition } | null {
  if (!isRecord(value) || value['type'] !== 'sorter') return null
  const { name, definition } = value
  return typeof name === 'string' && isRecord(definition) ? { name, definition } : null
}

const withoutMatchers = (match: Definition) =>
  Object.fromEntries(
    Object.entries(match).filter(([, each]) => definitionIn(each, 'matcher') === null),
  )

/** The entries of an option that hold such a value. */
function entriesOf({ asWritten }: EntityDraft, option: 'match' | 'filters') {
  const type = option === 'match' ? 'matcher' : 'filter'
  const written = asWritten[option]
  return Object.entries(isRecord(written) ? written : {}).flatMap(([name, value]) => {
    const definition = definitionIn(value, type)
    return definition === null ? [] : [{ name, definition }]
  })
}

function sortersOf({ asWritten: { sort } }: EntityDraft) {
  return (Array.isArray(sort) ? sort : []).flatMap((each, index) => {
    const sorter = sorterIn(each)
    return sorter === null ? [] : [{ sorter, index }]
  })
}

function saidOf(draft: EntityDraft): CustomFilters | null {
  const filterOf = ({ name, definition }: ReturnType<typeof entriesOf>[number]) =>
    // Its problems have been reported.
    ({ name, ...definition }) as CustomFilter
  const match = entriesOf(draft, 'match').map(filterOf)
  const filters = entriesOf(draft, 'filters').map(filterOf)
  const sort = sortersOf(draft).map(
    ({ sorter: { name, definition } }) => ({ name, ...definition }) as CustomSorter,
  )
  return match.length + filters.length + sort.length === 0 ? null : { match, sort, filters }
}

/** Parameters of lists, and what GraphQL has beside columns. */
const takenNames = new Set([
  ...['page', 'perPage', 'sort', 'search', 'filter', 'include', 'related', 'withMeta'],
  ...['relatablePerPage', 'not', 'trashed', 'withCount', filtersParameter],
  ...readRows.flatMap(({ parameters }): readonly string[] => parameters),
])

function wrongIn(draft: EntityDraft): readonly Finding[] {
  const { path } = draft
  const columns = new Set(columnsOf(draft).map(({ name }) => name))
  const isColumn = (at: Path, name: string, option: string) =>
    columns.has(name) ? [columnToo(at, name, `${option} of '${path}'`)] : []
  return [
    ...entriesOf(draft, 'match').flatMap(({ name, definition }) => {
      const at = [path, 'match', name]
      const taken = takenNames.has(name) ? [takenName(at, name, path)] : []
      return [...isColumn(at, name, 'match'), ...taken, ...wrongFilter(at, name, definition)]
    }),
    ...sortersOf(draft).flatMap(({ sorter: { name, definition }, index }) => {
      const at = [path, 'sort', index]
      return [
        ...isColumn(at, name, 'sort'),
        ...wrongName(at, name),
        ...wrongTexts(at, name, definition),
      ]
    }),
    ...entriesOf(draft, 'filters').flatMap(({ name, definition }) =>
      wrongFilter([path, 'filters', name], name, definition),
    ),
    ...notFilters(draft),
  ]
}

const columnToo = (at: Path, name: string, where: string): Finding => ({
  rule: 'filter-name',
  at,
  message: `'${name}' in ${where} is a column of it, and is to be answered in app/Filters, too`,
  fix: `another name, or '${name}' as any column stands there`,
})

const takenName = (at: Path, name: string, path: string): Finding => ({
  rule: 'filter-name',
  at,
  message: `'${name}' in match of '${path}' is the name of a parameter that lists take anyway`,
  fix: 'another name',
})

const plainKinds = ['boolean', 'timestamp', 'number', 'text']
const choiceKinds = ['select', 'multiSelect']

/** Names that people may use for the kinds, as fields have them. */
const otherKinds: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  bool: 'boolean',
  date: 'timestamp',
  dateTime: 'timestamp',
  integer: 'number',
  string: 'text',
})

function wrongFilter(at: Path, name: string, definition: Definition): readonly Finding[] {
  return [
    ...wrongName(at, name),
    ...wrongKind(at, name, definition),
    ...wrongTexts(at, name, definition),
  ]
}

/** Names of parameters, of keys in JSON, of members in GraphQL and in TypeScript. */
function wrongName(at: Path, name: string): readonly Finding[] {
  if (/^[a-z][a-zA-Z0-9_]{0,62}$/.test(name) && !(name in {})) return []
  const message = `'${name}' cannot be the name of a filter: a name is a lower-case letter, then letters, digits and '_'; names that every object has, like 'constructor', are taken`
  return [{ rule: 'filter-name', at, message, fix: 'another name' }]
}

function wrongKind(at: Path, name: string, { kind, options }: Definition): readonly Finding[] {
  const kinds = [...plainKinds, ...choiceKinds]
  if (!kinds.some((each) => each === kind)) {
    const message = `'${name}' is of the kind ${show(kind)}, and there is no such kind`
    const meant = otherKinds[String(kind)] ?? nearest(String(kind), kinds)
    return [{ rule: 'filter-kind', at, message, known: kinds, fix: `'${meant ?? 'boolean'}'` }]
  }
  const isChoice = choiceKinds.some((each) => each === kind)
  if (!isChoice && options === undefined) return []
  if (isChoice && isOptions(options)) return []
  const message = isChoice
    ? `'${name}' is a ${String(kind)}, and its options are not a list of texts, each once`
    : `'${name}' is of the kind ${show(kind)}, which has no options`
  const fix = isChoice ? `{ options: ['…'] }` : 'leave options out'
  return [{ rule: 'filter-options', at, message, fix }]
}

const isOptions = (options: unknown) =>
  Array.isArray(options) &&
  options.length > 0 &&
  options.every((each) => typeof each === 'string' && each !== '') &&
  new Set(options).size === options.length

const texts = ['label', 'placeholder', 'description']

function wrongTexts(at: Path, name: string, definition: Definition): readonly Finding[] {
  return Object.entries(definition).flatMap(([key, value]) => {
    if (key === 'kind' || key === 'options') return []
    const isKnown = texts.includes(key)
    if (isKnown && (value === undefined || aSentence.holds(value))) return []
    return {
      rule: 'filter-texts',
      at,
      message: isKnown
        ? `'${name}' has ${key} as ${show(value)}, which is not ${aSentence.says}`
        : `'${name}' says '${key}', and there is no such option`,
      ...(isKnown ? {} : { known: texts }),
      fix: isKnown ? `${key}: '…'` : `leave '${key}' out`,
    }
  })
}

/** Lists the members of `filters` that are no filters. */
function notFilters({ path, asWritten: { filters } }: EntityDraft): readonly Finding[] {
  return Object.entries(isRecord(filters) ? filters : {})
    .filter(([, value]) => definitionIn(value, 'filter') === null)
    .map(([name, value]) => ({
      rule: 'not-a-filter',
      at: [path, 'filters', name],
      message: `'${name}' in filters of '${path}' is ${show(value)}, which is not what filter() gives`,
      fix: `${name}: filter('boolean')`,
    }))
}
