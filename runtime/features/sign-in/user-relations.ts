import type { Dialect } from '../../database/types.js'
import { columnOf, type Column } from '../../model/columns.js'
import type { AnyRepository } from '../../operations/repository.js'
import { id, join, literal, raw, sql, table, type Sql } from '../../sql/sql.js'
import type { Relation } from '../relations/relations.js'
import { orNull, type UserMember } from './users.js'

/** More rows than this of one relation are not what a policy decides by. */
const most = 1000

/**
 * Relations of the user as JSON of the statement that reads the token: policies ask them at every
 * request, so they may cost no statement of their own. Passwords are left out.
 */
export function relationsOf({ definition }: AnyRepository, names: readonly string[]) {
  const { database, key, columns, relations } = definition
  return (): readonly UserMember[] =>
    names.map((name) => {
      const relation = relations[name] as Relation // the generator names only stored relations
      const isText = (columns['id'] ?? 'integer') === 'integer' && isKeyText(relation)
      const userId = isText ? sql`cast(${id('u', 'id')} as text)` : id('u', 'id')
      return member(name, relation, { key, userId, dialect: database.dialect })
    })
}

interface User {
  readonly key: string
  readonly userId: Sql
  readonly dialect: Dialect
}

function member(name: string, relation: Relation, user: User): UserMember {
  const isOne = /One$|^belongsTo$/.test(relation.kind)
  const columns = Object.entries(relation.target().definition.columns)
    .map(([column, kind]) => columnOf(column, kind, user.dialect))
    .filter(({ kind }) => kind !== 'password')
  const readers = columns.map((column) => [column.name, orNull(column.decode)] as const)
  const values = join(columns.map((column) => jsonValue(column, user.dialect)))
  const list =
    user.dialect === 'sqlite'
      ? sql`json_group_array(json_array(${values}))`
      : sql`coalesce(json_agg(json_build_array(${values})), '[]')::text`
  const order = isOne ? raw('DESC LIMIT 1') : raw(`LIMIT ${most}`)
  const rows = sql`SELECT t.* FROM ${relatedTo(relation, user)} ORDER BY t.id ${order}`
  return {
    name,
    selection: sql`(SELECT ${list} FROM (${rows}) r)`,
    read: (text) => {
      // Made by the statement above: a list of lists.
      const found = (JSON.parse(String(text)) as unknown[][]).map((row) =>
        Object.fromEntries(readers.map(([column, read], at) => [column, read(row[at])])),
      )
      return isOne ? (found[0] ?? null) : found
    },
  }
}

/** What JSON would change travels as the driver's text, which decoding knows. */
function jsonValue({ name, kind }: Column, dialect: Dialect): Sql {
  const isPlain = ['integer', 'float', 'boolean', 'text'].includes(kind)
  return dialect === 'sqlite' || isPlain ? id('r', name) : sql`${id('r', name)}::text`
}

/** A morph that integer and uuid ids share: its key is text. */
function isKeyText(relation: Relation): boolean {
  if (relation.kind === 'belongsTo') return false
  if ('pivot' in relation) return relation.pivot.foreignKind === 'text'
  return relation.target().definition.columns[relation.foreignKey]?.startsWith('text') === true
}

/** The related table, called `t`, and which of its rows are the user's. */
function relatedTo(relation: Relation, { key, userId }: User): Sql {
  const from = table(relation.target().definition.table, 't')
  if (relation.kind === 'belongsTo')
    return sql`${from} WHERE t.id = ${id('u', relation.foreignKey)}`
  const isPivot = 'pivot' in relation
  const { foreignKey, morphType } = isPivot ? relation.pivot : relation
  const holder = isPivot ? 'p' : 't'
  const isType = morphType ? sql` AND ${id(holder, morphType)} = ${literal(key)}` : raw('')
  const where = sql`WHERE ${id(holder, foreignKey)} = ${userId}${isType}`
  if (!isPivot) return sql`${from} ${where}`
  const pivot = table(relation.pivot.table, 'p')
  return sql`${from} JOIN ${pivot} ON ${id('p', relation.pivot.relatedKey)} = t.id ${where}`
}
