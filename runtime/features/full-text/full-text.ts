import type { Access, Extension, Scope } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { conditionTest } from '../../policy/condition-sql.js'
import { written } from '../../policy/condition.js'
import { gateAnswer, maySeeSome } from '../../policy/gates.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { all, any, asSql, holds, not, test } from '../../policy/predicate.js'
import { join, sql } from '../../sql/sql.js'
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
        const parts = seenBy(access, options)
        return parts.length === 0
          ? null
          : {
              [written]: (scope: Scope) =>
                any(
                  scope,
                  parts.map(({ rows, seen }) =>
                    all(scope, [rowsTest(scope, rows), testOf(scope, options, seen, text)]),
                  ),
                ),
            }
      },
      order: (access, text) => {
        const wanted = meant(access, options, readSearch(text).wanted)
        const parts = seenBy(access, options)
        if (wanted.length === 0 || parts.length === 0) return null
        const { entity } = access
        const value = (alias: string) => {
          const scope = scopeOf(entity, alias)
          const ranks = parts.map(({ rows, seen }) => {
            const rank = dialectOf(entity).rank(placeOf(scope, options, seen), wanted)
            return { rows: asSql(scope, rowsTest(scope, rows)).sql, rank }
          })
          const [first] = ranks
          if (first !== undefined && ranks.length === 1) return first.rank
          const cases = join(
            ranks.map(({ rows, rank }) => sql`when ${rows} then ${rank}`),
            ' ',
          )
          return sql`(case ${cases} else 0 end)`
        }
        return { key: 'search', descending: true, value, mayBeNull: false }
      },
    },
    askable: (access) =>
      options.columns
        .filter((name) => maySeeSome(access, name))
        .map((key) => ({ list: 'searchables', key, type: 'fullText' })),
  }
}

const dialectOf = ({ dialect }: Access['entity']): FullTextDialect =>
  dialect === 'sqlite' ? onSqlite : onPostgres

const meant = (
  { entity }: Pick<Scope, 'entity'>,
  options: FullTextOptions,
  terms: readonly SearchTerm[],
) => terms.flatMap((term) => dialectOf(entity).meant(options, term) ?? [])

/** Rows of which a user sees the same columns: gates that hold for them, and gates that do not. */
interface SeenPart {
  readonly rows: { readonly hold: readonly object[]; readonly fail: readonly object[] }
  /** The places of the columns. */
  readonly seen: readonly number[]
}

/** Parts the rows by the columns that this user sees of them; where gates are constants, in one. */
function seenBy({ entity, request }: Access, { columns }: FullTextOptions): readonly SeenPart[] {
  let parts: readonly SeenPart[] = [{ rows: { hold: [], fail: [] }, seen: [] }]
  for (const [at, name] of columns.entries()) {
    const gate = gateAnswer(entity.policy.canSee, name, request.user)
    if (gate === false) continue
    parts = parts.flatMap(({ rows, seen }): readonly SeenPart[] => {
      const shown = [...seen, at]
      if (gate === true) return [{ rows, seen: shown }]
      return [
        { rows: { hold: [...rows.hold, gate], fail: rows.fail }, seen: shown },
        { rows: { hold: rows.hold, fail: [...rows.fail, gate] }, seen },
      ]
    })
  }
  return parts.filter(({ seen }) => seen.length > 0)
}

function rowsTest(scope: Scope, { hold, fail }: SeenPart['rows']): Test {
  return all(scope, [
    ...hold.map((gate) => holds(conditionTest(scope, gate))),
    ...fail.map((gate) => not(holds(conditionTest(scope, gate)))),
  ])
}

const scopeOf = (entity: Access['entity'], alias: string): Scope => ({
  ...{ entity, alias, file: policyFile(entity), depth: 0 },
})

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
