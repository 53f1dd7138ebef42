import type { Connection, Parameter } from '../../database/types.js'
import { selected } from '../../model/column-sql.js'
import type { Entity } from '../../model/entity.js'
import { existingAnd } from '../../policy/access.js'
import { identifier, raw, read, sql, write, type Sql } from '../../sql/sql.js'
import type { Auth } from './auth.js'
import { foldedEmail } from './emails.js'
import { storedTime } from './times.js'

/** The statements about users that no policy is asked about. */

export interface Account {
  readonly id: number | string
  readonly email: string
  /** Hash of the password. */
  readonly password: string
}

type Of = Pick<Auth, 'database' | 'users'>

/**
 * The user of an address in canonical form, or null: found whatever the case the table has it in.
 * One statement, whether the account is there or not.
 */
export function findAccount(
  { database, users }: Of,
  email: string,
  connection: Connection = database,
): Promise<Account | null> {
  const folded = raw(foldedEmail(database.dialect))
  return account(connection, users.entity, sql`${folded} = ${email} ORDER BY id LIMIT 1`)
}

/** The user of an id. */
export function accountOf({ database, users }: Of, userId: Parameter): Promise<Account | null> {
  return account(database, users.entity, sql`id = ${userId}`)
}

async function account(
  connection: Connection,
  entity: Entity,
  condition: Sql,
): Promise<Account | null> {
  const where = sql`${existingAnd(entity, 'u')}${condition}`
  const columns = sql`${selected(entity.id, raw('id'))}, email, password`
  const query = sql`SELECT ${columns} FROM ${identifier(entity.table)} u WHERE ${where}`
  const [row] = await read(connection, query)
  if (row === undefined) return null
  // Ids are numbers, or texts.
  return { id: row[0] as number | string, email: String(row[1]), password: String(row[2]) }
}

/** Writes a password's hash; `previous`: only where it still is this one. */
export async function writePassword(
  { users }: Of,
  connection: Connection,
  change: { readonly id: number | string; readonly hash: string; readonly previous?: string },
): Promise<boolean> {
  const { hash, previous } = change
  const isSame = previous === undefined ? raw('') : sql` AND password = ${previous}`
  const set = sql`password = ${hash}, updated_at = ${storedTime(connection)}`
  const where = sql`id = ${change.id}${isSame}`
  const query = sql`UPDATE ${identifier(users.entity.table)} SET ${set} WHERE ${where} RETURNING id`
  return (await write(connection, query)).length > 0
}

/** Ends what a user's password opened: tokens, but for one where given, and reset links. */
export async function revokeAccess(
  connection: Connection,
  {
    table,
    userId,
    except,
  }: { table: string; userId: number | string; except?: number | undefined },
): Promise<void> {
  const kept = except === undefined ? raw('') : sql` AND id <> ${except}`
  await write(connection, sql`DELETE FROM personal_access_tokens WHERE user_id = ${userId}${kept}`)
  const folded = raw(foldedEmail(connection.dialect))
  const emails = sql`SELECT ${folded} FROM ${identifier(table)} WHERE id = ${userId}`
  await write(connection, sql`DELETE FROM password_resets WHERE email IN (${emails})`)
}
