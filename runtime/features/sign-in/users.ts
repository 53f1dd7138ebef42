import type { Database, RawRow } from '../../database/types.js'
import { columnOf } from '../../model/columns.js'
import type { Definition } from '../../model/definition.js'
import { id, join, type Sql } from '../../sql/sql.js'

/** What the repository of users says of their table. */
interface Source {
  readonly definition: Pick<Definition, 'database' | 'table' | 'columns'>
}

/** A member of the user: what to select, where the table of users is called `u`. */
export interface UserMember {
  readonly name: string
  readonly selection: Sql
  /** Its value of what the driver gave. */
  readonly read: (stored: unknown) => unknown
}

/** Users as policies know them: every column but the password, loaded in one statement. */
export interface UserSource<User> {
  readonly database: Database
  readonly table: string
  readonly columns: Definition['columns']
  /** What to select of the users' table, which the statement calls `u`. */
  selection(): Sql
  /** The user in a row whose columns from `first` on are the selection. */
  read(row: RawRow, first: number): User
}

/**
 * Prepares the reading of users, at the first request: repositories refer to each other in circles.
 *
 * @param relations What `auth.user_with` names, loaded in the same statement: `relationsOf(…)`.
 */
export function userSource<User>(
  { definition: { database, table, columns } }: Source,
  relations: () => readonly UserMember[] = () => [],
): UserSource<User> {
  let known: readonly UserMember[] | null = null
  const members = () => (known ??= [...membersOf(database, columns), ...relations()])
  return {
    database,
    table,
    columns,
    selection: () => join(members().map(({ selection }) => selection)),
    read: (row, first) => {
      const values: Record<string, unknown> = {}
      members().forEach(({ name, read }, at) => (values[name] = read(row[first + at])))
      return values as User // the columns and relations of the repository are the members of User
    },
  }
}

function membersOf({ dialect }: Database, columns: Definition['columns']): readonly UserMember[] {
  return Object.entries(columns)
    .map(([name, kind]) => columnOf(name, kind, dialect))
    .filter(({ kind }) => kind !== 'password')
    .map(({ name, decode }) => ({ name, selection: id('u', name), read: orNull(decode) }))
}

/** NULL is null, whatever the column. */
export const orNull = (decode: ((stored: unknown) => unknown) | null) => (stored: unknown) =>
  stored === null || stored === undefined || decode === null ? (stored ?? null) : decode(stored)
