import type { Dialect } from '../../database/types.js'
import { selected } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { HasEntity, Row } from '../../model/entity.js'
import { rowReader } from '../../operations/row-reader.js'
import { existingAnd } from '../../policy/access.js'
import { identifier, join, raw, sql, type Sql } from '../../sql/sql.js'
import { type Link, linkOf, targetOf } from '../relations/entries.js'
import { joinTo } from '../relations/relation-sql.js'
import { type UserRelation, withoutPassword } from './users.js'

/** More rows than this of one relation are not what a policy decides by. */
const most = 1000

/**
 * Relations of the user as JSON of the statement that reads the token: policies ask them at every
 * request, so they may cost no statement of their own. Prepared at the first request, because
 * repositories refer to each other in circles.
 */
export function relationsOf(
  { definition }: HasEntity,
  names: readonly string[],
): readonly UserRelation[] {
  return names.map((name) => {
    let prepared: ReturnType<typeof prepare> | null = null
    const relation = () => (prepared ??= prepare(linkOf(definition, name)))
    return { name, select: () => relation().selection, read: (text) => relation().read(text) }
  })
}

function prepare(link: Link | undefined) {
  if (link === undefined) throw new TypeError('auth.user_with names a relation that is not stored')
  const target = targetOf(link)
  const { dialect } = target
  const reader = rowReader(target, withoutPassword(target))
  const columns = [...reader.positions.keys()].map((name) => columnNamed(target, name))
  const values = join(columns.map((column) => jsonValue(column, dialect)))
  const list =
    dialect === 'sqlite'
      ? sql`json_group_array(json_array(${values}))`
      : sql`coalesce(json_agg(json_build_array(${values})), '[]')::text`
  const { tables, on } = joinTo(link, 'u', 't', 'p')
  const id = identifier('t', target.id.name)
  const order = sql`${id}${raw(link.toOne ? ' DESC LIMIT 1' : ` LIMIT ${most}`)}`
  const there = existingAnd(target, 't')
  const rows = sql`SELECT t.* FROM ${tables} WHERE ${there}${on} ORDER BY ${order}`
  return {
    selection: sql`(SELECT ${list} FROM (${rows}) r)`,
    read: (text: unknown): readonly Row[] | Row | null => {
      // Made by the statement above: a list of lists.
      const found = JSON.parse(String(text)) as unknown[][]
      const records = found.map((row) => reader.object(reader.decode(row)))
      return link.toOne ? (records[0] ?? null) : records
    },
  }
}

/** A value that JSON would change is passed as the driver's text, which decoding knows. */
function jsonValue(column: Column, dialect: Dialect): Sql {
  const value = selected(column, identifier('r', column.name))
  return dialect === 'sqlite' || column.storage.isPlain ? value : sql`${value}::text`
}
