import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Extension, Scope } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { conditionTest } from '../../policy/condition-sql.js'
import { written } from '../../policy/condition.js'
import { gateAnswer, maySeeSome } from '../../policy/gates.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { all, any, asSql, holds, not, test } from '../../policy/predicate.js'
import { join, type Sql, sql } from '../../sql/sql.js'
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
    read: {
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
            const ranks = parts.map(({ rows, seen }) => ({
              isIn: rowsTest(scope, rows),
              rank: dialectOf(entity).rank(placeOf(scope, options, seen), wanted),
            }))
            const ofAll = ranks.find(({ isIn }) => isIn === true)
            if (ofAll !== undefined) return ofAll.rank
            const cases = ranks.map(({ isIn, rank }) => {
              return sql`when ${asSql(scope, isIn).sql} then ${rank}`
            })
            return sql`(case ${join(cases, ' ')} else 0 end)`
          }
          return { key: 'search', descending: true, value, mayBeNull: false }
        },
      },
      askable: (access) =>
        options.columns
          .filter((name) => maySeeSome(access, name))
          .map((key) => ({ list: 'searchables', key, type: 'fullText' })),
    },
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
