/** Joins tests the way SQL does: three values, and only true admits a row. */

import type { Scope, SqlTest, Test } from '../model/entity.js'
import { join, raw, type Sql, sql } from '../sql/sql.js'

/** A test that may hold or fail for a row, unless `more` says otherwise. */
export function test(sql: Sql, more?: Partial<SqlTest>): SqlTest {
  const plain = { sql, mayHold: true, mayFail: true, isUnsure: false, isOwnRow: true }
  return more === undefined ? plain : { ...plain, ...more }
}

export const isNull = (expression: Sql): SqlTest => test(sql`${expression} is null`)

export function all(scope: Pick<Scope, 'entity'>, tests: readonly Test[]): Test {
  if (tests.includes(false)) return false
  return joined(scope, tests, true)
}

export function any(scope: Pick<Scope, 'entity'>, tests: readonly Test[]): Test {
  if (tests.includes(true)) return true
  return joined(scope, tests, false)
}

function joined(scope: Pick<Scope, 'entity'>, tests: readonly Test[], neutral: boolean): Test {
  const parts = tests.filter((each) => each !== neutral)
  const [first] = parts
  if (first === undefined) return neutral
  if (parts.length === 1) return first
  const found = parts.map((part) => asSql(scope, part))
  const every = (claim: (part: SqlTest) => boolean) => found.every(claim)
  const some = (claim: (part: SqlTest) => boolean) => found.some(claim)
  const pieces = found.map((part) => part.sql)
  return {
    sql: sql`(${join(pieces, neutral ? ' and ' : ' or ')})`,
    mayHold: neutral ? every(mayHold) : some(mayHold),
    mayFail: neutral ? some(mayFail) : every(mayFail),
    isUnsure: some(({ isUnsure }) => isUnsure),
    isOwnRow: every(({ isOwnRow }) => isOwnRow),
  }
}

const mayHold = (part: SqlTest) => part.mayHold
const mayFail = (part: SqlTest) => part.mayFail

/** True where the test is false; where it is unknown, this is unknown too. */
export function not(negated: Test): Test {
  if (negated === null) return null
  if (typeof negated === 'boolean') return !negated
  const { mayHold, mayFail } = negated
  return { ...negated, sql: sql`not (${negated.sql})`, mayHold: mayFail, mayFail: mayHold }
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
