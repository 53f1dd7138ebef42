import { LRUCache } from 'lru-cache'
import type { Parameter } from '../database/types.js'
import type { Entity } from '../model/entity.js'
import { type Slot, type Sql, sql } from '../sql/sql.js'
import { bind, type Plan } from './plans.js'

interface Total {
  /** Names the rows that were visible when it was counted. */
  readonly snapshot: string
  readonly total: string
}

/** By plan and by the values of its count. */
const totals = new WeakMap<Plan, LRUCache<string, Total>>()
const mostOfPlan = 50

/** On PostgreSQL; SQLite has a cheaper way, which the driver takes by itself. */
export const mayKeepTotals = ({ database }: Entity): boolean => database.hasSnapshots?.() === true

/**
 * Two snapshots with the same text see the same rows: no transaction has begun to write or ended
 * between them. The text of a standby leaves out transactions that run; that of another server, or
 * one that was started again, may name other rows; a transaction that has written sees its own rows,
 * which no snapshot names. So none of them is taken for a snapshot that is known.
 */
const snapshot = sql`(select case when pg_is_in_recovery() or pg_current_xact_id_if_assigned() is not null then null else
  pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text end)`

/**
 * Selects the total, counted only where the snapshot is not the one that is known, and the snapshot.
 * As sub-selects, or PostgreSQL would ask for them with each row that a page skips.
 */
export const keeping = ([known, total]: readonly (Parameter | Slot)[], count: Sql): Sql =>
  sql`, (select case when ${snapshot} = ${known ?? null} then ${total ?? null}::bigint else (${count}) end), ${snapshot}`

/** The values of a page: its window, the total that is known, and those of the policy. */
export function withTotal(plan: Plan, values: readonly unknown[]): readonly unknown[] {
  const known = totals.get(plan)?.get(keyOf(plan, values))
  if (known === undefined) return values
  const [perPage, offset, , , ...others] = values
  return [perPage, offset, known.snapshot, known.total, ...others]
}

export function keepTotal(plan: Plan, values: readonly unknown[], total: Total): void {
  const ofPlan = totals.get(plan) ?? new LRUCache<string, Total>({ max: mostOfPlan })
  totals.set(plan, ofPlan)
  ofPlan.set(keyOf(plan, values), total)
}

const keyOf = ({ count }: Plan, values: readonly unknown[]): string =>
  JSON.stringify(bind(count.parameters, values))
