import type { Access, Extension, Scope } from '../../model/entity.js'
import { written } from '../../policy/condition.js'
import { maySee } from '../../policy/gates.js'
import { all, not, test } from '../../policy/predicate.js'
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
): SearchPlace => ({ ...options, table: entity.table, alias, key: entity.id.name, seen })

function testOf(scope: Scope, options: FullTextOptions, seen: readonly number[], text: string) {
  const terms = readSearch(text)
  const wanted = meant(scope, options, terms.wanted)
  const unwanted = meant(scope, options, terms.unwanted)
  // All that is asked for says nothing.
  if (wanted.length === 0 && (terms.wanted.length > 0 || terms.unwanted.length === 0)) return false
  const { found } = dialectOf(scope.entity)
  const place = placeOf(scope, options, seen)
  const tested = (terms: readonly SearchTerm[], joined: 'all' | 'any') =>
    test(found(place, terms, joined), { isOwnRow: false })
  return all(scope, [
    ...(wanted.length === 0 ? [] : [tested(wanted, 'all')]),
    ...(unwanted.length === 0 ? [] : [not(tested(unwanted, 'any'))]),
  ])
}
