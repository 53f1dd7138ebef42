/** Field gates of policies: `canSee`, `canStore` and `canUpdate`, for every row or for some of them. */

import type { Access, Entity } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import type { AnyPolicy } from '../model/policy-and-hooks.js'
import type { Test } from '../model/sql-test.js'
import { sql, type Sql } from '../sql/sql.js'
import { answerTest } from './condition-sql.js'
import { combine } from './condition.js'
import { asSql } from './predicate.js'

type Gates = AnyPolicy['canSee']
type Asker = Pick<Access, 'entity' | 'request'>

/**
 * Answers whether a gate lets a field pass: for every row, for none, or for the rows of a condition.
 * Only a gate that exists can deny. A promise denies: gates answer at once.
 */
export function gateAnswer(gates: Gates, name: string, user: unknown): boolean | object {
  const gate = getOwn(gates, name)
  if (gate === undefined) return true
  const answer = gate(user)
  if (typeof answer !== 'object' || answer === null) return answer === true
  return 'then' in answer ? false : answer
}

/** Returns true if a gate lets a field pass for every row. */
export const passes = (gates: Gates, name: string, user: unknown): boolean =>
  gateAnswer(gates, name, user) === true

/**
 * Returns true if this user sees the column in every row. Code that does not know the conditions of
 * gates asks this, so that a column that is visible in some rows only is closed there.
 */
export const maySee = ({ entity, request }: Asker, column: string): boolean =>
  passes(entity.policy.canSee, column, request.user)

/** Returns true if this user may see the column in some row. */
export const maySeeSome = ({ entity, request }: Asker, column: string): boolean =>
  gateAnswer(entity.policy.canSee, column, request.user) !== false

/** Lists the attributes that this user sees, in some row at least. */
export function shownAttributes({ attributes, policy }: Entity, user: unknown): readonly string[] {
  if (policy.canSee === undefined) return attributes
  const names = attributes.filter((name) => gateAnswer(policy.canSee, name, user) !== false)
  return names.length === attributes.length ? attributes : names
}

/**
 * Narrows a list down to rows in which a condition on a column holds and the user sees the column.
 * An index can serve it, and it must not be negated: `whereSeen` may be.
 */
export function andSeen({ entity, request }: Asker, column: string, condition: unknown): unknown {
  const answer = gateAnswer(entity.policy.canSee, column, request.user)
  return answer === true ? condition : combine('all', [answer, condition])
}

/** The value of a column as this user sees it, of the table called `alias`: NULL in other rows. */
export function seenValue(access: Asker, column: string, alias: string, value: Sql): Sql {
  const { entity, request } = access
  const answer = gateAnswer(entity.policy.canSee, column, request.user)
  const isSeen = answer === true || answerTest(entity, answer, alias)
  return isSeen === true ? value : sql`(case when ${asSql(access, isSeen).sql} then ${value} end)`
}

/** By column: in which rows a user sees it, for columns that are not visible in all of them. */
export type Masks = ReadonlyMap<string, Test>

export const noMasks: Masks = new Map()

/** Makes the masks of some columns, for the rows of the table called `alias`. */
export function masksOf(
  { entity, request }: Asker,
  alias: string,
  columns: readonly string[],
): Masks {
  const { canSee } = entity.policy
  if (canSee === undefined) return noMasks
  const masks = new Map<string, Test>()
  for (const name of columns) {
    const answer = gateAnswer(canSee, name, request.user)
    if (typeof answer === 'object') masks.set(name, answerTest(entity, answer, alias))
  }
  return masks
}
