import { identifier, join, raw, type Sql, sql } from '../../sql/sql.js'
import { alternativesOf, lastWordOf } from './prefixes.js'
import type { FullTextDialect, SearchPlace } from './search-place.js'
import type { SearchTerm } from './search-terms.js'

/** The column that PostgreSQL generates of all columns, and its GIN index serves. */
const column = 'search_vector'

/**
 * Where `columns` are several, `search_vector` says only which words a row has, and a column each has the words of one of
 * them with their places: PostgreSQL keeps 256 places of a word, and those of a hidden column would use them up. They are
 * marked with A, B, C and D, which `ts_rank` counts as 1, 0.4, 0.2 and 0.1.
 */
const ends = ['a', 'b', 'c', 'd'] as const

export const onPostgres: FullTextDialect = {
  // It leaves out by itself what stands everywhere.
  meant: (_, term) => term,
  found: (place, terms, joined) => (joined === 'all' ? hasAll(place, terms) : hasAny(place, terms)),
  beginning: (place, term) => {
    if (!isShortened(place, term)) return null
    return sql`(${hasAll(place, [term])} and ${hasBeginning(place, term)})`
  },
  // `ts_rank` would count how far wanted words are from each other.
  rank: (place, terms) => {
    const query = queryOf(place, terms, '|', '|')
    const ranks = vectorsOf(place).map((vector) => sql`ts_rank(${vector}, ${query})`)
    return sql`((${join(ranks, ' + ')}) * 1000000)::int4`
  },
}

/** The index finds rows that have all the words somewhere; of these, the columns that may be seen are read. */
function hasAll(place: SearchPlace, terms: readonly SearchTerm[]): Sql {
  const words = queryOf(place, terms, '&', '&')
  const [only, ...others] = vectorsOf(place)
  const found = sql`${identifier(place.alias, column)} @@ ${words}`
  if (only !== undefined && others.length === 0) {
    const inColumn = sql`${only} @@ ${queryOf(place, terms, '&', '<->')}`
    return isWhole(place) ? inColumn : sql`(${found} and ${inColumn})`
  }
  const seen = isWhole(place) ? [] : [sql`${seenIn(place)} @@ ${words}`]
  const phrases = terms.filter(isPhrase).map((term) => {
    const phrase = queryOf(place, [term], '&', '<->')
    // A phrase of words that stand everywhere says nothing.
    return sql`(numnode(${phrase}) = 0 or ${inOneColumn(place, phrase)})`
  })
  return sql`(${join([found, ...seen, ...phrases], ' and ')})`
}

function hasAny(place: SearchPlace, terms: readonly SearchTerm[]): Sql {
  const words = terms.filter((term) => !isPhrase(term))
  const phrases = terms.filter(isPhrase)
  const tests = [
    ...(words.length === 0 ? [] : [sql`${seenIn(place)} @@ ${queryOf(place, words, '|', '&')}`]),
    ...(phrases.length === 0 ? [] : [inOneColumn(place, queryOf(place, phrases, '|', '<->'))]),
  ]
  return sql`(${join(tests, ' or ')})`
}

function inOneColumn(place: SearchPlace, query: Sql): Sql {
  const tests = vectorsOf(place).map((vector) => sql`${vector} @@ ${query}`)
  return sql`(${join(tests, ' or ')})`
}

const isPhrase = ({ words }: SearchTerm): boolean => words.length > 1

const isShortened = ({ language }: SearchPlace, { isPrefix }: SearchTerm): boolean =>
  isPrefix && language !== 'simple'

/**
 * Returns the test that one of the columns has a word that begins so: a word is letters and digits.
 */
function hasBeginning(place: SearchPlace, term: SearchTerm): Sql {
  const pattern = `(^|[^[:alnum:]])${lastWordOf(term)}`
  const tests = place.seen.map((at) => {
    return sql`coalesce(${identifier(place.alias, place.names[at] ?? '')} ~* ${pattern}, false)`
  })
  return sql`(${join(tests, ' or ')})`
}

/** The words of each column that may be seen. */
const vectorsOf = ({ alias, seen, columns }: SearchPlace): readonly Sql[] =>
  columns.length === 1
    ? [identifier(alias, column)]
    : seen.map((at) => identifier(alias, `${column}_${ends[at]}`))

/** The words of all columns that may be seen. */
const seenIn = (place: SearchPlace): Sql =>
  isWhole(place) ? identifier(place.alias, column) : sql`(${join(vectorsOf(place), ' || ')})`

const isWhole = ({ seen, columns }: SearchPlace): boolean => seen.length === columns.length

type Operator = '&' | '|' | '<->'

function queryOf(
  place: SearchPlace,
  terms: readonly SearchTerm[],
  betweenTerms: Operator,
  betweenWords: Operator,
): Sql {
  const text = terms
    .map((term) => (isShortened(place, term) ? alternativesOf(term) : [term]))
    .map((all) => `(${all.map((each) => `(${termText(each, betweenWords)})`).join(' | ')})`)
    .join(` ${betweenTerms} `)
  return sql`to_tsquery(${raw(`'${place.language}'::regconfig`)}, ${text})`
}

/** There is nothing to escape, for a word is letters and digits. */
const termText = ({ words, isPrefix }: SearchTerm, between: Operator): string =>
  words
    .map((word, at) => `'${word}'${isPrefix && at === words.length - 1 ? ':*' : ''}`)
    .join(` ${between} `)
