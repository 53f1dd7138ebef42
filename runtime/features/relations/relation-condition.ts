import type { Scope } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { existing } from '../../policy/access.js'
import {
  columnTest,
  conditionTest,
  isComposite,
  isTests,
  mistake,
  testsOf,
} from '../../policy/condition-sql.js'
import { combine } from '../../policy/condition.js'
import { all, asSql, orUnknown, test } from '../../policy/predicate.js'
import { identifier, type Sql, sql } from '../../sql/sql.js'
import { type Link, targetOf } from './entries.js'
import { joinTo, keysTo, pivotColumn } from './relation-sql.js'

type Quantifier = 'some' | 'none' | 'every' | 'finds' | 'among' | 'lacks'

/**
 * How policies ask of relations. Filters say `finds`, `lacks`, and `among` where few are found: to
 * them, a record of which a policy does not know whether it is visible is not there.
 */
const quantifiers: ReadonlyMap<string, Quantifier> = new Map([
  ['some', 'some'],
  ['none', 'none'],
  ['every', 'every'],
  ['is', 'some'],
  ['isNot', 'none'],
  ['finds', 'finds'],
  ['among', 'among'],
  ['lacks', 'lacks'],
])

/** `{ comments: { some: … } }`: what a condition tests of a relation, as EXISTS. */
export function relationTest(scope: Scope, link: Link, tests: unknown): Test {
  if (tests === undefined) return null
  const entries = testsOf(scope, link.key, tests, () => anyRelated(link, null))
  return all(
    scope,
    entries.map(([name, inner]) => quantifiedTest(scope, link, name, inner)),
  )
}

/** Says what to write instead of a test that tests nothing. */
function anyRelated({ key, toOne }: Link, name: string | null): string {
  return `{ ${key}: { ${name ?? (toOne ? 'is' : 'some')}: true } } for any related record`
}

function quantifiedTest(scope: Scope, link: Link, name: string, tests: unknown): Test {
  const quantifier = quantifiers.get(name)
  if (quantifier === undefined) throw mistake(scope, `tests relation '${link.key}' with '${name}'`)
  if (isTests(tests) && !isComposite(tests)) {
    testsOf(scope, `${link.key} ${name}`, tests, () => anyRelated(link, name))
  }
  return existsTest(scope, link, quantifier, tests)
}

/**
 * EXISTS knows no third value: where something inside is undefined, a related record that was not
 * found may be there all the same, and the other answer is unknown.
 */
function existsTest(scope: Scope, link: Link, has: Quantifier, condition: unknown): Test {
  const inside = insideOf(scope, link)
  const found = conditionTest(inside, condition)
  const inner = asSql(inside, found)
  const isCertain = has === 'finds' || has === 'among' || has === 'lacks'
  if (isCertain && !inner.mayHold) return has === 'lacks' && always
  if (!inner.mayHold && found !== false) return null
  const keyed = has === 'among' ? keyTest(scope, inside, link, inner.sql) : null
  if (keyed !== null) return keyed
  const joined = joinTo(link, scope.alias, inside.alias, pivotAlias(inside))
  const { tables } = joined
  const on = amongExisting(inside, joined.on)
  const violated = has === 'every' ? sql`(${inner.sql}) is not true` : inner.sql
  const where = found === true && has !== 'every' ? on : sql`${on} and ${violated}`
  const exists = sql`exists (select 1 from ${tables} where ${where})`
  const isUnsure = inner.isUnsure && !isCertain
  const isNone = has === 'none' || has === 'lacks'
  const matched = has === 'every' ? sql`not ${exists}` : exists
  const claimed = isUnsure ? orUnknown(scope, matched) : matched
  return test(isNone ? sql`not ${claimed}` : claimed, {
    isOwnRow: false,
    isUnsure,
    mayHold: !(isUnsure && isNone),
    mayFail: !isUnsure || isNone,
  })
}

/**
 * SQLite goes through all rows for EXISTS, and asks of each; from a list of keys it begins with what
 * is found, by the index of what points there: 0.04 instead of 12 ms of CPU, of 200,000 rows.
 * PostgreSQL takes them for the same.
 */
function keyTest(scope: Scope, inside: Scope, link: Link, condition: Sql): Test {
  if (scope.entity.dialect !== 'sqlite') return null
  const keys = keysTo(link, scope.alias, inside.alias, pivotAlias(inside))
  if (keys === null) return null
  const { key, among, tables, where } = keys
  const found = sql`select ${among} from ${tables} where ${amongExisting(inside, where)} and ${condition}`
  // NULL is in no list, and not in none either.
  return test(sql`(${key} is not null and ${key} in (${found}))`, { isOwnRow: false })
}

/** No constant: a condition that always holds would test nothing, which admits no row. */
const always = test(sql`1 = 1`, { mayFail: false })

/** Related records that extensions let exist. */
export function amongExisting(scope: Scope, on: Sql): Sql {
  const conditions = existing(scope.entity.extensions, null)
  if (conditions.length === 0) return on
  return sql`${on} and ${asSql(scope, conditionTest(scope, combine('all', conditions))).sql}`
}

const pivotAlias = ({ depth }: Pick<Scope, 'depth'>): string => `p${depth}`

/** Conditions of the related record; through a pivot table, of its row too. */
export function insideOf(
  scope: Scope,
  link: Link,
  alias = `t${scope.depth + 1}`,
  pivot = pivotAlias({ depth: scope.depth + 1 }),
): Scope {
  const depth = scope.depth + 1
  const inside = { entity: targetOf(link), alias, file: scope.file, depth }
  if (!('pivot' in link.relation)) return inside
  const test = (tests: unknown) => pivotTest(inside, link, tests, pivot)
  return Object.assign({}, inside, { pivot: test })
}

function pivotTest(scope: Scope, link: Link, tests: unknown, alias: string): Test {
  if (tests === undefined) return null
  const entries = testsOf(scope, 'pivot', tests, () => 'a column of it, or leave pivot out')
  return all(
    scope,
    entries.map(([name, inner]) => {
      const column = pivotColumn(link, name)
      if (column === undefined) throw mistake(scope, `names '${name}', no column of this pivot`)
      return columnTest(scope, column, identifier(alias, name), inner)
    }),
  )
}
