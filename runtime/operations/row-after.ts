import type { Parameter } from '../database/types.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity } from '../model/entity.js'
import type { Test } from '../model/sql-test.js'
import { ask } from '../policy/access.js'
import { columnsRead } from '../policy/columns-read.js'
import { answerTest, isCondition } from '../policy/condition-sql.js'
import { all, asSql, test } from '../policy/predicate.js'
import { identifier, join, raw, type Sql, sql } from '../sql/sql.js'

/**
 * As in row-level security, a rule holds for the row that a write leaves behind: of `store` for the
 * row to be stored, of `update` (or `updateTo`) for the row as it would be. It is tested inside the
 * statement that writes, on a row made of the new values: what is denied was never written.
 */

/** The values a statement writes, by column, as the database holds them, or where it has them. */
export type NewValues = ReadonlyMap<string, Parameter | Sql>

/** Returns the condition of `store` on the new row; null: there is none. */
export async function ofNewRow(access: Access): Promise<object | null> {
  const answer = await ask(access, 'store')
  return typeof answer === 'object' ? answer : null
}

/**
 * Returns the condition of `update` on the row after this write; null where these columns do not
 * matter to it.
 */
export async function ofChangedRow(access: Access, written: readonly string[]): Promise<unknown> {
  const { entity, parent } = access
  // Below a parent, a row is its own before and after.
  const same = ['updated_at', ...Object.keys(parent?.columns ?? {})]
  const changed = written.filter((name) => !same.includes(name))
  if (changed.length === 0) return null
  const isOwn = entity.policy.updateTo !== undefined
  const answer = await ask(access, isOwn ? 'updateTo' : 'update')
  if (answer === true) return null
  if (!isCondition(answer)) return false
  const read = columnsRead(entity, answer)
  return read === null || changed.some((name) => read.has(name)) ? answer : null
}

/** The filter of an UPDATE of the table called `t0`, which holds for the row after it as well. */
export function holdingAfter(entity: Entity, filter: Test, rule: unknown, values: NewValues): Test {
  if (rule === null) return filter
  const after = answerTest(entity, rule, row)
  if (after === false || after === null || after === true) return all({ entity }, [filter, after])
  const holds = sql`exists (select 1 from ${rowOf(entity, values, 't0')} where ${after.sql})`
  return all({ entity }, [filter, test(holds, { isOwnRow: false })])
}

/** Writes the source of an INSERT of these columns: one row, if the rule admits it. */
export function newRow(entity: Entity, rule: object, values: NewValues): Sql {
  const names = [...values.keys()].map((each) => columnNamed(entity, each).name)
  const columns = join(names.map((each) => identifier(row, each)))
  const admitted = asSql({ entity }, answerTest(entity, rule, row))
  return sql`select ${columns} from ${rowOf(entity, values, null)} where ${admitted.sql}`
}

/** The alias of that row. */
const row = 'n'

/** The row as it would be: new values, beside those that `before` has already. */
function rowOf(entity: Entity, values: NewValues, before: string | null): Sql {
  return sql`(select ${columnsAfter(entity, values, before)}) as ${identifier(row)}`
}

/** Its columns, by the names of the table. */
export function columnsAfter(entity: Entity, values: NewValues, before: string | null): Sql {
  const columns = [...entity.columns].map(([key, { name, storage, enumType }]) => {
    const value = values.get(key)
    const column = identifier(name)
    if (value === undefined && before !== null) return sql`${identifier(before, name)} as ${column}`
    // PostgreSQL must be given the type of a selected parameter.
    const type = enumType === null ? raw(storage.type) : identifier(enumType)
    const given = sql`${value ?? null}`
    const typed = entity.dialect === 'sqlite' ? given : sql`cast(${given} as ${type})`
    return sql`${typed} as ${column}`
  })
  return join(columns)
}
