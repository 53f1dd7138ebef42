import type { Access } from '../model/entity.js'
import { sql } from '../sql/sql.js'
import { conditionTest } from './condition-sql.js'
import { combine, written, type WrittenCondition } from './condition.js'
import { gateAnswer } from './gates.js'
import { asSql, test } from './predicate.js'

/**
 * Limits a condition on some columns to the rows in which this user sees all of them. In other rows it
 * is unknown, negated too, as if the values were NULL.
 */
export function whereSeen(
  { entity, request }: Pick<Access, 'entity' | 'request'>,
  columns: readonly string[],
  condition: unknown,
): unknown {
  const answers = columns.map((name) => gateAnswer(entity.policy.canSee, name, request.user))
  if (answers.includes(false)) return null
  const gates = answers.filter((answer) => answer !== true)
  if (gates.length === 0) return condition
  const limited: WrittenCondition = {
    [written]: (scope) => {
      const isSeen = conditionTest(scope, combine('all', gates))
      const tested = conditionTest(scope, condition)
      if (isSeen === true) return tested
      if (isSeen === false || isSeen === null || tested === null) return null
      const { sql: text, mayHold, mayFail, isOwnRow } = asSql(scope, tested)
      return test(sql`case when ${isSeen.sql} then ${text} end`, {
        mayHold,
        mayFail,
        isUnsure: true,
        isOwnRow: isOwnRow && isSeen.isOwnRow,
      })
    },
  }
  return limited
}
