import { identifier, join, raw, type Sql, sql } from '../../sql/sql.js'
import { alternativesOf, lastWordOf } from './prefixes.js'
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
  beginning: (place, term) => {
    if (!isShortened(place, term)) return null
    const found = onPostgres.found(place, [term], 'any')
    return sql`(${found} and ${hasBeginning(place, term)})`
  },
  // Of words that are all wanted, `ts_rank` would count how far they are from each other: a column between that one may not see
  // would say how long it is.
  rank: (place, terms) =>
    sql`(ts_rank(${seenIn(place)}, ${queryOf(place, terms, 'any')}) * 1000000)::int4`,
}

const isShortened = ({ language }: SearchPlace, { isPrefix }: SearchTerm): boolean =>
  isPrefix && language !== 'simple'

/** Whether one of the columns has a word that begins so: a word is letters and digits. */
function hasBeginning(place: SearchPlace, term: SearchTerm): Sql {
  const pattern = `(^|[^[:alnum:]])${lastWordOf(term)}`
  const tests = place.seen.map((at) => {
    return sql`coalesce(${identifier(place.alias, place.names[at] ?? '')} ~* ${pattern}, false)`
  })
  return sql`(${join(tests, ' or ')})`
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
    .map((term) => (isShortened(place, term) ? alternativesOf(term) : [term]))
    .map((alternatives) => `(${alternatives.map((each) => termText(place, each)).join(' | ')})`)
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
