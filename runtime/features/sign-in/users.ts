import type { RawRow } from '../../database/types.js'
import type { Entity, HasEntity } from '../../model/entity.js'
import { rowReader, type ColumnSelection } from '../../operations/row-reader.js'
import { existingAnd } from '../../policy/access.js'
import { noMasks } from '../../policy/gates.js'
import { identifier, join, read, type Sql, sql } from '../../sql/sql.js'

/** Users as policies know them: every column but the password, loaded in one statement. */
export interface UserSource<User> {
  readonly entity: Entity
  /** Returns the columns to select first, of the users' table with the alias `u`. */
  select(): Sql
  /** The number of those columns. */
  readonly width: number
  /** The user in a row that begins with them. */
  read(row: RawRow): User
  /** The users that a condition about the table `u` admits. */
  where(condition: Sql): Promise<readonly User[]>
}

/** A relation of the user that `auth.user_with` names: loaded in the same statement. */
export interface UserRelation {
  readonly name: string
  readonly select: () => Sql
  readonly read: (stored: unknown) => unknown
}

/** @param relations What `auth.user_with` names: `relationsOf(UserRepository, ['roles'])`. */
export function userSource<User>(
  { definition: entity }: HasEntity,
  relations: readonly UserRelation[] = [],
): UserSource<User> {
  const reader = rowReader(entity, withoutPassword(entity))
  const select = () => join([reader.select('u'), ...relations.map((each) => each.select())])
  const readUser = (row: RawRow): User => {
    const user = reader.object(reader.decode(row))
    relations.forEach(({ name, read }, at) => (user[name] = read(row[reader.width + at])))
    return user as User // the columns and relations of the repository are the members of User
  }
  return {
    entity,
    select,
    width: reader.width + relations.length,
    read: readUser,
    where: async (condition) => {
      const there = existingAnd(entity, 'u')
      const from = sql`FROM ${identifier(entity.table)} u WHERE ${there}${condition}`
      return (await read(entity.database, sql`SELECT ${select()} ${from}`)).map(readUser)
    },
  }
}

/** Every column but passwords: those stay in the database. */
export const withoutPassword = ({ columns }: Entity): ColumnSelection => ({
  shown: [],
  masks: noMasks,
  needs: [...columns.values()].flatMap(({ storage, field }) => (storage.isSecret ? [] : field)),
  flags: null,
})
