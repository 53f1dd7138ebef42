import type { Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access } from '../../model/entity.js'
import { referTo } from '../../policy/condition-sql.js'
import { maySeeSome, seenValue } from '../../policy/gates.js'
import type { Sql } from '../../sql/sql.js'
import { linkOf } from '../relations/entries.js'
import { valueThrough } from '../relations/relations.js'
import { declaredIn } from './aggregates.js'

/** A declared column, as this user knows it. */
export interface Place {
  /** `price`, `category.name`. */
  readonly name: string
  readonly column: Column
  /** True if answers show its values as text, whatever they are: it is an id. */
  readonly isId: boolean
  /** Returns the value, of the table called `alias`. */
  readonly value: (alias: string) => Sql
}

/**
 * Null: this user knows none of that name. The value is NULL where the user may not see it, or the
 * related record that has it.
 */
export async function placeNamed(access: Access, name: string): Promise<Place | null> {
  const { entity } = access
  const { groupBy, of } = declaredIn(entity)
  if (!groupBy.includes(name) && !of.includes(name)) return null
  const [head = '', inner] = name.split('.', 2)
  if (inner === undefined) {
    if (!maySeeSome(access, name)) return null
    const column = columnNamed(entity, name)
    const value = (alias: string) => seenValue(access, name, alias, referTo({ alias }, column))
    return { name, column, isId: isId(access, name), value }
  }
  const link = linkOf(entity, head)
  if (link === undefined) throw new TypeError(`'${entity.key}' has no relation '${head}'`)
  const as = (column: Column, alias: string) => referTo({ alias }, column)
  const through = await valueThrough(access, link, inner, as)
  if (through === null) return null
  const target = { entity: link.relation.target().definition }
  return { name, isId: isId(target, inner), ...through }
}

const isId = ({ entity }: Pick<Access, 'entity'>, name: string): boolean =>
  name === 'id' || entity.relations?.foreignColumns.has(name) === true

/** Finds the places of some names that this user knows. */
export async function placesNamed(
  access: Access,
  names: readonly string[],
): Promise<readonly Place[]> {
  const found = await Promise.all(names.map((name) => placeNamed(access, name)))
  return found.flatMap((place) => place ?? [])
}
