import type { Connection, Database, Parameter } from '../../database/types.js'
import { columnOf } from '../../model/columns.js'
import type { AnyUser, Auth } from './auth.js'
import { foldedEmail } from './emails.js'
import { mark, named, quoted } from './users.js'

/** The statements about users that no policy is asked about. */

export interface Account {
  readonly id: number | string
  readonly email: string
  /** Hash of the password. */
  readonly password: string
}

type Of = Pick<Auth<AnyUser>, 'database' | 'users'>

/**
 * The user of an address in canonical form, or null: found whatever the case the table has it in.
 * One statement, whoever is asked for.
 */
export async function findAccount(
  { database, users }: Of,
  email: string,
  connection: Connection = database,
): Promise<Account | null> {
  const from = `SELECT id, email, password FROM ${quoted(users.table)}`
  const where = `WHERE ${foldedEmail(database.dialect)} = ${mark(database.dialect, 1)}`
  const sql = `${from} ${where} ORDER BY id LIMIT 1`
  return accountIn(await connection.query(named('read', sql), [email]))
}

/** The user of an id. */
export async function accountOf({ database, users }: Of, id: Parameter): Promise<Account | null> {
  const from = `SELECT id, email, password FROM ${quoted(users.table)}`
  const sql = `${from} WHERE id = ${mark(database.dialect, 1)}`
  return accountIn(await database.query(named('read', sql), [id]))
}

function accountIn([row]: readonly (readonly unknown[])[]): Account | null {
  if (row === undefined) return null
  const [id, email, password] = row
  // Ids are numbers, or the text of UUIDs.
  return { id: id as number | string, email: String(email), password: String(password) }
}

/** Writes a password's hash; `previous`: only where it still is this one. */
export async function writePassword(
  { database, users }: Of,
  connection: Connection,
  change: { readonly id: number | string; readonly hash: string; readonly previous?: string },
): Promise<boolean> {
  const place = (position: number) => mark(database.dialect, position)
  const { previous } = change
  const is = previous === undefined ? '' : ` AND password = ${place(4)}`
  const set = `password = ${place(1)}, updated_at = ${place(2)}`
  const sql = `UPDATE ${quoted(users.table)} SET ${set} WHERE id = ${place(3)}${is} RETURNING id`
  const now = columnOf('updated_at', 'dateTime', database).encode(new Date().toISOString())
  const values = [change.hash, now, change.id, ...(previous === undefined ? [] : [previous])]
  return (await connection.query(named('write', sql), values)).length > 0
}

interface Users {
  readonly database: Pick<Database, 'dialect'>
  readonly users: { readonly table: string }
}

/** Ends what a user's password opened: tokens, but for one where given, and reset links. */
export async function revokeAccess(
  { database: { dialect }, users }: Users,
  connection: Connection,
  { userId, except }: { readonly userId: number | string; readonly except?: number | undefined },
): Promise<void> {
  const kept = except === undefined ? '' : ` AND id <> ${mark(dialect, 2)}`
  const tokens = `DELETE FROM personal_access_tokens WHERE user_id = ${mark(dialect, 1)}${kept}`
  await connection.query(named('write', tokens), [
    userId,
    ...(except === undefined ? [] : [except]),
  ])
  const email = `SELECT ${foldedEmail(dialect)} FROM ${quoted(users.table)} WHERE id = ${mark(dialect, 1)}`
  const links = `DELETE FROM password_resets WHERE email IN (${email})`
  await connection.query(named('write', links), [userId])
}
