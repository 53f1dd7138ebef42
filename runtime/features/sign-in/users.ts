import type { Connection, Dialect, RawRow, Statement } from '../../database/types.js'
import { columnOf, type Column, type StorageKind } from '../../model/columns.js'
import type { PerName } from '../../model/inherited.js'

/** Where signed-in users come from. */
export interface UserSource<User> {
  /** Table of the users. */
  readonly table: string
  /**
   * Columns of `User` and how they are stored; they are loaded with the token in one statement.
   * Never the password.
   */
  readonly columns: PerName<keyof User, StorageKind>
  /** Relations of `User`, loaded in the same statement (`auth.user_with`). */
  readonly with?: PerName<keyof User, LoadedRelation>
}

/** A relation of the user, as the token's statement reads it. */
export interface LoadedRelation {
  readonly table: string
  /** Those called like members of every object are named: TypeScript finds these members first. */
  readonly columns: Readonly<Record<string, StorageKind>> & PerName<keyof Object, StorageKind>
  /** A list, or one row and null. */
  readonly many: boolean
  /** Column of the user that points at `id` there, or column there that points at the user. */
  readonly owner?: string
  readonly foreignKey?: string
  readonly pivot?: {
    readonly table: string
    readonly foreignKey: string
    readonly relatedKey: string
  }
  /** Morphs: the column beside the foreign key, and its value. */
  readonly type?: readonly [column: string, value: string]
}

/** More rows than this of one relation are not what a policy decides by. */
const most = 1000

export interface UserReader<User> {
  /** What to select of the user's table, which the statement calls `u`. */
  readonly selection: string
  /** The user in a row whose columns from `first` on are the selection. */
  readonly read: (row: RawRow, first: number) => User
}

/** What says how a database writes SQL and stores values. */
type Stored = Pick<Connection, 'dialect' | 'codecs'>

/** Prepares the reading of users. */
export function userReader<User>(source: UserSource<User>, database: Stored): UserReader<User> {
  const columns = columnsOf(source.columns, database)
  const relations = relationsOf(source.with ?? {}, database)
  const own = columns.map(({ name }) => `u.${quoted(name)}`)
  return {
    selection: [...own, ...relations.map(({ sql }) => sql)].join(', '),
    read: (row, first) => {
      const values: Record<string, unknown> = {}
      columns.forEach((column, at) => (values[column.name] = decoded(column, row[first + at])))
      relations.forEach(({ name, read }, at) => {
        values[name] = read(row[first + columns.length + at])
      })
      return values as User // `columns` and `with` named the members of User
    },
  }
}

function columnsOf(kinds: object, database: Stored): readonly Column[] {
  // A column left out is undefined and has no kind.
  const pairs = Object.entries(kinds) as [string, StorageKind][]
  return pairs.map(([name, kind]) => columnOf(name, kind, database))
}

function relationsOf(loaded: object, database: Stored) {
  const pairs = Object.entries(loaded) as [string, LoadedRelation][] // its own members only
  return pairs.map(([name, relation]) => prepared(name, relation, database))
}

function decoded({ decode }: Column, stored: unknown): unknown {
  const value = stored ?? null
  return value === null || decode === null ? value : decode(value)
}

/** A stored time as ISO text; null where there is none. */
export function timeOf(column: Column, stored: unknown): string | null {
  const value = decoded(column, stored)
  return value === null ? null : String(value)
}

function prepared(name: string, relation: LoadedRelation, database: Stored) {
  const columns = columnsOf(relation.columns, database)
  const values = columns.map((column) => jsonValue(column, database.dialect)).join(', ')
  const json =
    database.dialect === 'sqlite'
      ? `SELECT json_group_array(json_array(${values}))`
      : `SELECT coalesce(json_agg(json_build_array(${values})), '[]')::text`
  const sql = `(${json} FROM (${rowsOf(relation)}) r)`
  const rowOf = (stored: readonly unknown[]) =>
    Object.fromEntries(columns.map((column, at) => [column.name, decoded(column, stored[at])]))
  const read = (text: unknown) => {
    // Made by the statement above: a list of lists.
    const rows = (JSON.parse(String(text)) as unknown[][]).map(rowOf)
    return relation.many ? rows : (rows[0] ?? null)
  }
  return { name, sql, read }
}

/** What JSON would change travels as the driver's text, which decoding knows. */
function jsonValue({ name, kind }: Column, dialect: Dialect): string {
  const column = `r.${quoted(name)}`
  const isPlain = ['integer', 'float', 'boolean', 'text'].includes(kind)
  return dialect === 'sqlite' || isPlain ? column : `${column}::text`
}

function rowsOf({ table, many, owner, foreignKey = '', pivot, type }: LoadedRelation): string {
  const limit = `LIMIT ${many ? most : 1}`
  const from = `SELECT t.* FROM ${quoted(table)} t`
  if (owner !== undefined) return `${from} WHERE t.id = u.${quoted(owner)} ${limit}`
  const side = pivot === undefined ? 't' : 'p'
  const column = quoted(pivot?.foreignKey ?? foreignKey)
  const value = type === undefined ? '' : type[1].replaceAll("'", "''")
  const isType = type === undefined ? '' : ` AND ${side}.${quoted(type[0])} = '${value}'`
  const join =
    pivot === undefined
      ? ''
      : ` JOIN ${quoted(pivot.table)} p ON p.${quoted(pivot.relatedKey)} = t.id`
  return `${from}${join} WHERE ${side}.${column} = u.id${isType} ORDER BY t.id ${limit}`
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The place of a parameter, from 1; they must come in this order, each once. */
export const mark = (dialect: Dialect, position: number) =>
  dialect === 'sqlite' ? '?' : `$${position}`

export function named(access: Statement['access'], sql: string): Statement {
  return { access, sql }
}
