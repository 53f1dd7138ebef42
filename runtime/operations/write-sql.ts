import { sql } from 'kysely'
import { conditionSql, type Sql } from '../policy/condition-sql.js'
import type { Described } from '../policy/parse-condition.js'
import { columnNamed, type Entity } from '../model/entity.js'
import { type Prepared, prepare, slot } from '../sql/statement-cache.js'
import { tableAs } from '../features/relations/relation-sql.js'
import type { SelectPlan } from './select.js'
import {
  createSelection,
  filterPart,
  firstOwnPart,
  type Selection,
  type Want,
} from './row-decoder.js'

const alias = 't0'

/** `insert … returning`. Own part: the values, in the order of `columns`. */
export function insertPlan(entity: Entity, want: Want, columns: readonly string[]): SelectPlan {
  const selection = createSelection(entity, want)
  const names = columns.map((name) => sql.id(name))
  const query = sql`insert into ${sql.table(entity.table)} (${sql.join(names)})
    values (${sql.join(valueSlots(entity, columns))}) returning ${returned(selection)}`
  return { prepared: prepare(entity.dialect, 'write', query), selection }
}

/** `update … where` the condition holds, which is who may; the rest as `insertPlan`. */
export function updatePlan(
  entity: Entity,
  want: Want,
  columns: readonly string[],
  filter: Described,
): SelectPlan {
  const selection = createSelection(entity, want)
  const slots = valueSlots(entity, columns)
  const set = columns.map((name, at) => sql`${sql.id(name)} = ${slots[at]}`)
  const all = [...set, ...unverified(entity, columns)]
  const query = sql`update ${tableAs({ table: entity.table, alias })} set ${sql.join(all)}
    where ${condition(entity, filter)} returning ${returned(selection)}`
  return { prepared: prepare(entity.dialect, 'write', query), selection }
}

/** A new e-mail is not verified, whoever writes it; the same one in another case is no new one. */
function unverified(entity: Entity, columns: readonly string[]): Sql[] {
  const verifiedAt = entity.definition.credentials?.verifiedAt
  const at = columns.indexOf('email')
  if (verifiedAt === undefined || at < 0 || columns.includes(verifiedAt)) return []
  const given = slot(firstOwnPart, at, columnNamed(entity, 'email').encode)
  const isSame = sql`lower(${sql.id('email')}) = lower(${given})`
  return [sql`${sql.id(verifiedAt)} = case when ${isSame} then ${sql.id(verifiedAt)} end`]
}

/** `delete … where` the condition holds. */
export function deletePlan(entity: Entity, filter: Described): Prepared {
  const query = sql`delete from ${tableAs({ table: entity.table, alias })}
    where ${condition(entity, filter)} returning ${sql.id('id')}`
  return prepare(entity.dialect, 'write', query)
}

function condition(entity: Entity, filter: Described): Sql {
  return conditionSql(entity.dialect, filter.node, filterPart, alias)
}

function valueSlots(entity: Entity, columns: readonly string[]): Sql[] {
  return columns.map((name, at) => slot(firstOwnPart, at, columnNamed(entity, name).encode))
}

function returned({ columns }: Selection): Sql {
  return sql.join(columns.map(({ name }) => sql.id(name)))
}

/** Whether each of some records exists for the user: one statement, one answer per record. */
export function visiblePlan(
  entity: Entity,
  filters: readonly (readonly [Entity, Described])[],
): Prepared {
  const answers = filters.map(([target, filter], part) => {
    const where = conditionSql(entity.dialect, filter.node, part, alias)
    return sql`exists (select 1 from ${tableAs({ table: target.table, alias })} where ${where})`
  })
  return prepare(entity.dialect, 'read', sql`select ${sql.join(answers)}`)
}
