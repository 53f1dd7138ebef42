import { identifier, raw, type Sql, sql } from '../../sql/sql.js'
import type { FullTextDialect, SearchPlace } from './search-place.js'
import type { SearchTerm } from './search-terms.js'

/** The column that PostgreSQL generates, and its GIN index serves. */
const column = 'search_vector'

/** What each of the columns is marked with there; `ts_rank` counts A as 1, B as 0.4, C as 0.2, D as 0.1. */
const weights = ['A', 'B', 'C', 'D'] as const

export const onPostgres: FullTextDialect = {
  // It leaves out by itself what stands everywhere.
  meant: (_, term) => term,
  found: (place, terms, joined) =>
    sql`${identifier(place.alias, column)} @@ ${queryOf(place, terms, joined)}`,
  // Of words that are all wanted, `ts_rank` would count how far they are from each other: a column between that one may not see
  // would say how long it is.
  rank: (place, terms) =>
    sql`(ts_rank(${seenIn(place)}, ${queryOf(place, terms, 'any')}) * 1000000)::int4`,
}

/** A query that asks for some columns alone still counts the words of all. */
function seenIn(place: SearchPlace): Sql {
  const vector = identifier(place.alias, column)
  return isWhole(place) ? vector : sql`ts_filter(${vector}, ${raw(`'{${lettersOf(place)}}'`)})`
}

const isWhole = ({ seen, columns }: SearchPlace) => seen.length === columns.length

const lettersOf = ({ seen }: SearchPlace) => seen.map((at) => weights[at]).join()

function queryOf(place: SearchPlace, terms: readonly SearchTerm[], joined: 'all' | 'any'): Sql {
  const text = terms
    .map((term) => `(${termText(place, term)})`)
    .join(joined === 'all' ? ' & ' : ' | ')
  return sql`to_tsquery(${raw(`'${place.language}'::regconfig`)}, ${text})`
}

/**
 * `'lamp':*AB`. Words in a row are so in one column: the positions of the next go on where those of
 * this end. There is nothing to escape, for a word is letters and digits.
 */
function termText(place: SearchPlace, { words, isPrefix }: SearchTerm): string {
  const lexemes = (letters: string) =>
    words
      .map((word, at) => {
        const star = isPrefix && at === words.length - 1 ? '*' : ''
        const marks = `${star}${letters}`
        return `'${word}'${marks === '' ? '' : `:${marks}`}`
      })
      .join(' <-> ')
  const letters = place.seen.map((at) => weights[at] ?? '')
  if (words.length === 1) return lexemes(isWhole(place) ? '' : letters.join(''))
  return letters.map((letter) => `(${lexemes(letter)})`).join(' | ')
}
