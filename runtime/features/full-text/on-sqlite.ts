import { identifier, join, quoted, raw, type Sql, sql } from '../../sql/sql.js'
import type { FullTextDialect, SearchPlace } from './search-place.js'
import type { SearchTerm } from './search-terms.js'
import { englishStopWords } from './stop-words.js'

export const onSqlite: FullTextDialect = {
  meant: ({ language }, term) => (language === 'english' ? withoutStopWords(term) : term),
  found: (place, terms, joined) =>
    sql`${identifier(place.alias, place.key)} in (select ${keyOf(place)} from ${tablesOf(place)} where ${matches(place, terms, joined)})`,
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

/** What triggers keep beside the table. */
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

/** What the index calls the columns: a name of theirs may be one that it has itself. */
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
  const query = terms.map(termText).join(joined === 'all' ? ' AND ' : ' OR ')
  const { seen, columns } = place
  const isWhole = seen.length === columns.length
  const within = isWhole ? query : `{${seen.map((at) => columnNames[at]).join(' ')}} : (${query})`
  return sql`${identifier(index, index)} match ${within}`
}

/** There is nothing to escape, for a word is letters and digits. */
const termText = ({ words, isPrefix }: SearchTerm) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`
