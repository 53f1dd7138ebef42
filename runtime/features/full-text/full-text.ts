import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Extension, Scope } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { maySee } from '../../policy/access.js'
import { written } from '../../policy/condition.js'
import { all, not, test } from '../../policy/predicate.js'
import type { Sql } from '../../sql/sql.js'
import { onPostgres } from './on-postgres.js'
import { onSqlite } from './on-sqlite.js'
import type { FullTextDialect, FullTextOptions, SearchPlace } from './search-place.js'
import { readSearch, type SearchTerm } from './search-terms.js'

/**
 * For a repository: `search` finds words in columns, by an index that the database keeps. Words that
 * a user may not see are not found, and do not count in the order.
 *
 * @example extensions: [fullText({ columns: ['title', 'body'], language: 'english' })]
 */
export function fullText(options: FullTextOptions): Extension {
  return {
    search: {
      condition: (access, text) => {
        const seen = seenBy(access, options)
        return seen.length === 0
          ? null
          : { [written]: (scope: Scope) => testOf(scope, options, seen, text) }
      },
      order: (access, text) => {
        const wanted = meant(access, options, readSearch(text).wanted)
        const seen = seenBy(access, options)
        if (wanted.length === 0 || seen.length === 0) return null
        const { entity } = access
        const value = (alias: string) =>
          dialectOf(entity).rank(placeOf({ entity, alias }, options, seen), wanted)
        return { key: 'search', descending: true, value, mayBeNull: false }
      },
    },
    askable: (access) =>
      seenBy(access, options).map((at) => ({
        list: 'searchables',
        key: options.columns[at] ?? '',
        type: 'fullText',
      })),
  }
}

const dialectOf = ({ dialect }: Access['entity']): FullTextDialect =>
  dialect === 'sqlite' ? onSqlite : onPostgres

const meant = (
  { entity }: Pick<Scope, 'entity'>,
  options: FullTextOptions,
  terms: readonly SearchTerm[],
) => terms.flatMap((term) => dialectOf(entity).meant(options, term) ?? [])

const seenBy = (access: Access, { columns }: FullTextOptions): readonly number[] =>
  [...columns.keys()].filter((at) => maySee(access, columns[at] ?? ''))

const placeOf = (
  { entity, alias }: Pick<Scope, 'entity' | 'alias'>,
  options: FullTextOptions,
  seen: readonly number[],
): SearchPlace => {
  const names = options.columns.map((name) => columnNamed(entity, name).name)
  return { ...options, table: entity.table, alias, key: entity.id.name, names, seen }
}

function testOf(scope: Scope, options: FullTextOptions, seen: readonly number[], text: string) {
  const terms = readSearch(text)
  const wanted = meant(scope, options, terms.wanted)
  const unwanted = meant(scope, options, terms.unwanted)
  // All that is asked for says nothing.
  if (wanted.length === 0 && (terms.wanted.length > 0 || terms.unwanted.length === 0)) return false
  const place = placeOf(scope, options, seen)
  const isMissing = testsOf(scope, place, unwanted, 'any').map(not)
  return all(scope, [...testsOf(scope, place, wanted, 'all'), ...isMissing])
}

/** Tests for all terms or for any of them: those of whole words in one, and each beginning by itself. */
function testsOf(
  { entity }: Pick<Scope, 'entity'>,
  place: SearchPlace,
  terms: readonly SearchTerm[],
  joined: 'all' | 'any',
): readonly Test[] {
  const { found, beginning } = dialectOf(entity)
  const whole: SearchTerm[] = []
  const conditions: Sql[] = []
  for (const term of terms) {
    const condition = term.isPrefix ? beginning(place, term) : null
    if (condition === null) whole.push(term)
    else conditions.push(condition)
  }
  if (whole.length > 0) conditions.unshift(found(place, whole, joined))
  return conditions.map((condition) => test(condition, { isOwnRow: false }))
}
