import { columnsOf, type EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, show } from '../../blueprint/fields/shapes.js'
import { storedName } from '../../blueprint/names/names.js'
import { nearest, type Finding } from '../../blueprint/problems.js'
import type { Column, Database } from '../../blueprint/types.js'
import { type FullText, languages } from './words.js'

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type FullTextSaid = {
  readonly columns: readonly string[]
  readonly language: string
}

/** PostgreSQL's column of all words, which has the index. */
export const vectorColumn = 'search_vector'

/**
 * PostgreSQL's columns of the words of one column each. A `tsvector` keeps 256 places of a word: of all columns together, words
 * of a hidden one would use them up.
 */
export const vectorColumns = ({ length }: readonly string[]): readonly string[] =>
  length > 1 ? ['a', 'b', 'c', 'd'].slice(0, length).map((end) => `${vectorColumn}_${end}`) : []

/** SQLite's tables of words, and of the numbers of rows. */
export const searchTables = (table: string) => [`${table}_search`, `${table}_search_keys`] as const

/** Words that an index of the database finds, best first. */
export const fullTextCheck: FeatureCheck = {
  plain: (written) => {
    const words = wordsIn(written['searchable'])
    return words === null ? written : { ...written, searchable: words.columns }
  },
  facts: ({ database }, { drafts, report }) => {
    const asked = drafts.filter(({ asWritten }) => wordsIn(asWritten['searchable']) !== null)
    for (const draft of asked) {
      for (const each of problemsOf(draft, drafts, database)) report(each)
    }
    if (asked.length === 0) return undefined
    return Object.fromEntries(asked.map((draft) => [draft.key, saidOf(draft)]))
  },
}

/**
 * Reads a repository's full text from the blueprint; null: search looks inside its columns, or
 * there is none.
 */
export const fullTextFact = factOf<FullTextSaid>('fullText')

/** Returns the value of `fullText()`; null: `searchable` is a list. */
function wordsIn(searchable: unknown): FullText | null {
  const isIt = isRecord(searchable) && searchable['type'] === 'fullText'
  // Made by it.
  return isIt ? (searchable as unknown as FullText) : null
}

const optionsIn = ({ asWritten }: EntityDraft): Readonly<Record<string, unknown>> => ({
  ...wordsIn(asWritten['searchable'])?.options,
})

const usual = 'simple'

const saidOf = (draft: EntityDraft): FullTextSaid => ({
  columns: [...(draft.definition.searchable ?? [])],
  language: String(optionsIn(draft)['language'] ?? usual),
})

/** Names that are no column, or no text, are reported with other lists. */
function problemsOf(
  draft: EntityDraft,
  drafts: readonly EntityDraft[],
  database: Database,
): readonly Finding[] {
  const { columns } = saidOf(draft)
  return [
    ...(columns.length >= 1 && columns.length <= 4 ? [] : [wrongCount(draft, columns.length)]),
    ...optionProblems(draft),
    ...columns.flatMap((name) => enumProblem(draft, name)),
    ...(database === 'sqlite' ? takenTables(draft, drafts) : takenColumn(draft)),
  ]
}

const wrongCount = ({ path }: EntityDraft, count: number): Finding => ({
  rule: 'full-text-columns',
  at: [path, 'searchable'],
  message: `fullText of '${path}' has ${count} columns, and a search knows one to four apart`,
  fix: count === 0 ? "fullText(['…'])" : 'name the four that people search, what counts most first',
})

function optionProblems(draft: EntityDraft): readonly Finding[] {
  const { path } = draft
  const at = [path, 'searchable']
  const { language = usual, ...others } = optionsIn(draft)
  const unknown = Object.keys(others).map((name) => ({
    rule: 'full-text-option',
    at,
    message: `fullText of '${path}' says '${name}', and there is no such option`,
    known: ['language'],
    fix: `leave '${name}' out`,
  }))
  if (languages.some((each) => each === language)) return unknown
  const meant = typeof language === 'string' ? nearest(language, languages) : undefined
  return [
    ...unknown,
    {
      rule: 'full-text-language',
      at,
      message: `fullText of '${path}' has the language ${show(language)}, which no database knows`,
      known: languages,
      fix: `language: '${meant ?? usual}'`,
    },
  ]
}

/** The text of an enum may change, so nothing is generated from it. */
function enumProblem(draft: EntityDraft, name: string): readonly Finding[] {
  const column = columnsOf(draft).find((each) => each.name === name)
  if (column?.enumType === undefined) return []
  return [
    {
      rule: 'full-text-enum',
      at: [draft.path, 'searchable'],
      message: `'${name}' in fullText of '${draft.path}' is an enum of PostgreSQL, of which no index of words is made`,
      fix: `leave '${name}' out, and match it: match: { ${name}: 'text' }`,
    },
  ]
}

function takenColumn(draft: EntityDraft): readonly Finding[] {
  const vectors = [vectorColumn, ...vectorColumns(saidOf(draft).columns)]
  const isTaken = (column: Column) =>
    [column.name, storedName(column)].some((name) => vectors.includes(name.toLowerCase()))
  const found = columnsOf(draft).find(isTaken)
  if (found === undefined) return []
  return [
    {
      rule: 'full-text-taken',
      at: [draft.path, 'fields', found.name],
      message: `'${draft.path}' has a column '${found.name}', and that is what PostgreSQL keeps the words of its full text in`,
      fix: `give the field another name`,
    },
  ]
}

/** FTS5 keeps a virtual table in tables that are called after it. */
const ofVirtual = ['data', 'idx', 'content', 'docsize', 'config'] as const

function takenTables(draft: EntityDraft, drafts: readonly EntityDraft[]): readonly Finding[] {
  const [index, keys] = searchTables(draft.names.table)
  const own = [index, keys, ...ofVirtual.map((name) => `${index}_${name}`)]
  return drafts.flatMap((each) => [
    ...own
      .filter((name) => isSame(name, each.names.table))
      .map((name) => takenTable(draft, each, name)),
    ...columnsOf(each)
      .filter((column) => isSame(index, `${each.names.table}_${storedName(column)}`))
      .map(({ name }) => takenIndex(draft, each, name)),
  ])
}

/** As SQLite compares names. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const takenTable = (draft: EntityDraft, each: EntityDraft, table: string): Finding => ({
  rule: 'full-text-taken',
  at: [each.path],
  message: `the table of '${each.path}' is '${table}', and that is where SQLite keeps the words of the full text of '${draft.path}'`,
  fix: `call '${each.path}' otherwise`,
})

/** FTS5 calls a table of its own as Prisma calls an index on that column. */
const takenIndex = (draft: EntityDraft, each: EntityDraft, name: string): Finding => ({
  rule: 'full-text-taken',
  at: [each.path, 'fields', name],
  message: `an index on '${name}' of '${each.path}' is called as a table that SQLite keeps for the full text of '${draft.path}'`,
  fix: `give the field another name`,
})
