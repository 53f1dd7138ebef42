import { identifier, join, quoted, raw, type Sql, sql } from '../../sql/sql.js'
import { alternativesOf, lastWordOf } from './prefixes.js'
import type { FullTextDialect, SearchPlace } from './search-place.js'
import type { SearchTerm } from './search-terms.js'
import { englishStopWords } from './stop-words.js'

export const onSqlite: FullTextDialect = {
  meant: ({ language }, term) => (language === 'english' ? withoutStopWords(term) : term),
  found: (place, terms, joined) =>
    sql`${identifier(place.alias, place.key)} in (select ${keyOf(place)} from ${tablesOf(place)} where ${matches(place, terms, joined)})`,
  beginning: (place, term) => {
    if (!isShortened(place, term)) return null
    const found = matches(place, [term], 'any')
    const only = sql`select ${keyOf(place)} from ${tablesOf(place)} where ${found}`
    return sql`${identifier(place.alias, place.key)} in (${only} and ${hasBeginning(place, term)})`
  },
  // All that is found is ranked once: FTS5 would look for the beginning of a word anew for each row.
  rank: (place, terms) => {
    const found = sql`select ${keyOf(place)} as key, ${rankOf(place)} as fit from ${tablesOf(place)} where ${matches(place, terms, 'all')}`
    const isThisRow = sql`${identifier('ranked', 'key')} = ${identifier(place.alias, place.key)}`
    return sql`coalesce((with ranked as materialized (${found}) select fit from ranked where ${isThisRow}), 0)`
  },
}

/** Words in a row without those at both ends; between others they hold their place. */
function withoutStopWords({ words, isPrefix }: SearchTerm): SearchTerm | null {
  const says = (word: string) => !englishStopWords.has(word.toLowerCase())
  const last = words.findLastIndex(says)
  if (last === -1) return null
  const isWhole = last === words.length - 1
  return { words: words.slice(words.findIndex(says), last + 1), isPrefix: isPrefix && isWhole }
}

const isShortened = ({ language }: SearchPlace, { isPrefix }: SearchTerm): boolean =>
  isPrefix && language === 'english'

/**
 * Returns the test that one of the columns has a word that begins so. `glob` counts capitals, and
 * ends no text at a mark.
 */
function hasBeginning(place: SearchPlace, term: SearchTerm): Sql {
  const word = Array.from(lastWordOf(term), (character) => {
    const forms = new Set([character, character.toLowerCase(), character.toUpperCase()])
    return `[${[...forms].filter((form) => Array.from(form).length === 1).join('')}]`
  })
  const pattern = `*[^${inWords}]${word.join('')}*`
  const tests = place.seen.map((at) => {
    const text = identifier(indexOf(place), columnNames[at] ?? '')
    return sql`' ' || coalesce(${text}, '') glob ${pattern}`
  })
  return sql`(${join(tests, ' or ')})`
}

/** Letters, digits and marks, as ranges of `glob`; what lies between is punctuation and emoji. */
const inWords = [
  ...['0-9', 'A-Z', 'a-z', '\u{AA}', '\u{B5}', '\u{BA}', '\u{C0}-\u{1FFF}', '\u{2070}-\u{209F}'],
  ...['\u{2C00}-\u{2DFF}', '\u{3005}-\u{3007}', '\u{3031}-\u{D7FF}', '\u{F900}-\u{FDFF}'],
  ...['\u{FE20}-\u{FE2F}', '\u{FE70}-\u{FEFC}', '\u{FF10}-\u{FFDC}', '\u{10000}-\u{1EFFF}'],
  '\u{20000}-\u{3FFFF}',
].join('')

/** The table beside it that triggers maintain. */
const indexOf = ({ table }: SearchPlace) => `${table}_search`
const keysOf = ({ table }: SearchPlace) => `${table}_search_keys`

const tablesOf = (place: SearchPlace): Sql => {
  const index = identifier(indexOf(place))
  if (place.isByKey !== true) return index
  const keys = keysOf(place)
  return sql`${index} join ${identifier(keys)} on ${identifier(keys, 'row')} = ${identifier(indexOf(place), 'rowid')}`
}

const keyOf = (place: SearchPlace): Sql =>
  place.isByKey === true ? identifier(keysOf(place), 'key') : identifier(indexOf(place), 'rowid')

/**
 * As `ts_rank` counts columns; once more in the same column counts less each time. `bm25` would ask
 * how rare a word is among all rows, and so tell of those that one may not see.
 */
const weights = [1, 0.4, 0.2, 0.1]

/** Names of the columns in the index: a column's own name may be reserved there. */
const columnNames = ['a', 'b', 'c', 'd']

function rankOf(place: SearchPlace): Sql {
  const parts = place.seen.map((at) => {
    const hits = raw(hitsIn(quoted(indexOf(place)), at))
    return sql`${raw(String(weights[at]))} * ${hits} / (2.0 + ${hits})`
  })
  return sql`cast(round(1000000 * (${join(parts, ' + ')})) as integer)`
}

/** `highlight` puts a character before each place where the words stand. */
const hitsIn = (index: string, at: number) =>
  `coalesce(length(highlight(${index}, ${at}, '|', '')) - length(highlight(${index}, ${at}, '', '')), 0)`

function matches(place: SearchPlace, terms: readonly SearchTerm[], joined: 'all' | 'any'): Sql {
  const index = indexOf(place)
  const query = terms
    .map((term) => (isShortened(place, term) ? alternativesOf(term) : [term]))
    .map((alternatives) => `(${alternatives.map(termText).join(' OR ')})`)
    .join(joined === 'all' ? ' AND ' : ' OR ')
  const { seen, columns } = place
  const isWhole = seen.length === columns.length
  const within = isWhole ? query : `{${seen.map((at) => columnNames[at]).join(' ')}} : (${query})`
  return sql`${identifier(index, index)} match ${within}`
}

/** There is nothing to escape, for a word is letters and digits. */
const termText = ({ words, isPrefix }: SearchTerm) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`
