import { columnNamed } from '../../model/entity-columns.js'
import type { Entity } from '../../model/entity.js'
import { identifier, join, type Sql, sql } from '../../sql/sql.js'

/** Columns that the server writes, the key first. */
const writtenColumns = ({ columns, generated = [] }: Entity): readonly string[] =>
  [...columns.keys()].filter((each) => !generated.includes(each))

/** An assignment that changes nothing: a table without `updated_at` may be asked to change nothing. */
export function idleAssignment(entity: Entity): Sql {
  const name = identifier(columnNamed(entity, writtenColumns(entity)[1] ?? 'id').name)
  return sql`${name} = ${name}`
}

export type Insertion = { readonly columns: readonly string[]; readonly insert: Sql }

const withId = new WeakMap<Entity, Insertion>()
const withoutId = new WeakMap<Entity, Insertion>()

/**
 * Makes one INSERT per repository, whatever the body holds. SQLite counts up a key that is NULL.
 */
export function insertionOf(entity: Entity, hasId: boolean): Insertion {
  const known = hasId ? withId : withoutId
  const found = known.get(entity)
  if (found !== undefined) return found
  const given = writtenColumns(entity).filter((each) => each !== 'id' || hasId)
  const columns = given.length === 0 && entity.dialect === 'sqlite' ? ['id'] : given
  const names = join(columns.map((each) => identifier(columnNamed(entity, each).name)))
  const list = columns.length === 0 ? sql`` : sql`(${names})`
  const made = { columns, insert: sql`insert into ${identifier(entity.table)} ${list}` }
  known.set(entity, made)
  return made
}
