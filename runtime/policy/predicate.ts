/** Joins tests the way SQL does: three values, and only true admits a row. */

import type { Scope } from '../model/entity.js'
import type { SqlTest, Test } from '../model/sql-test.js'
import { join, raw, type Sql, sql } from '../sql/sql.js'

/** A test that may hold or fail for a row, unless `more` says otherwise. */
export function test(sql: Sql, more: Partial<SqlTest> = {}): SqlTest {
  const { mayHold = true, mayFail = true, isUnsure = false, isOwnRow = true } = more
  return { sql, mayHold, mayFail, isUnsure, isOwnRow }
}

export const isNull = (expression: Sql): SqlTest => test(sql`${expression} is null`)
export const notNull = (expression: Sql): SqlTest => test(sql`${expression} is not null`)

export function all(scope: Pick<Scope, 'entity'>, tests: readonly Test[]): Test {
  if (tests.includes(false)) return false
  return joined(scope, tests, true)
}

export function any(scope: Pick<Scope, 'entity'>, tests: readonly Test[]): Test {
  if (tests.includes(true)) return true
  return joined(scope, tests, false)
}

/** Written once for each request, so in one pass. */
function joined(scope: Pick<Scope, 'entity'>, tests: readonly Test[], neutral: boolean): Test {
  const parts = tests.filter((each) => each !== neutral)
  const [first] = parts
  if (first === undefined) return neutral
  if (parts.length === 1) return first
  const pieces: Sql[] = []
  let mayHold = neutral
  let mayFail = !neutral
  let isUnsure = false
  let isOwnRow = true
  for (const part of parts) {
    const found = asSql(scope, part)
    pieces.push(found.sql)
    mayHold = neutral ? mayHold && found.mayHold : mayHold || found.mayHold
    mayFail = neutral ? mayFail || found.mayFail : mayFail && found.mayFail
    isUnsure ||= found.isUnsure
    isOwnRow &&= found.isOwnRow
  }
  const text = sql`(${join(pieces, neutral ? ' and ' : ' or ')})`
  return { sql: text, mayHold, mayFail, isUnsure, isOwnRow }
}

/** True where the test is false; where it is unknown, this is unknown too. */
export function not(negated: Test): Test {
  if (negated === null) return null
  if (typeof negated === 'boolean') return !negated
  const { mayHold, mayFail, isUnsure, isOwnRow } = negated
  return { sql: sql`not (${negated.sql})`, mayHold: mayFail, mayFail: mayHold, isUnsure, isOwnRow }
}

/** True, or false where the test is unknown. */
export function holds(tested: Test): Test {
  if (tested === null || typeof tested === 'boolean') return tested === true
  return test(sql`(${tested.sql}) is true`, { isOwnRow: tested.isOwnRow })
}

/** A test as SQL, constants too. */
export function asSql(scope: Pick<Scope, 'entity'>, tested: Test): SqlTest {
  if (tested === null) {
    return test(unknown(scope), { mayHold: false, mayFail: false, isUnsure: true })
  }
  if (typeof tested !== 'boolean') return tested
  return test(raw(String(tested)), { mayHold: tested, mayFail: !tested })
}

const unknown = ({ entity }: Pick<Scope, 'entity'>): Sql =>
  raw(entity.dialect === 'sqlite' ? 'null' : 'null::boolean')

/** True, or unknown. */
export const orUnknown = (scope: Scope, condition: Sql): Sql =>
  sql`(${condition} or ${unknown(scope)})`

/** ` where …`, or nothing where every row is meant. */
export function where(tested: Test, scope: Pick<Scope, 'entity'>): Sql {
  return tested === true ? raw('') : sql` where ${asSql(scope, tested).sql}`
}
