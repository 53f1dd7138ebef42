import { notFound } from '../../errors.js'
import { columnOf } from '../../model/columns.js'
import type { AnyUser, Auth } from './auth.js'
import { mark, named, timeOf } from './users.js'

/** A token as its owner sees it: never its text. */
export interface OwnToken {
  readonly id: number
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  /** The one this request came with. */
  readonly is_current: boolean
}

/** Tokens one user has: one more, and the one that was not used for longest ends. */
const most = 100

type Of = Pick<Auth<AnyUser>, 'database'>

/** The tokens of a user that are still good. */
export async function listTokens(
  { database }: Of,
  userId: number | string,
  current: number | undefined,
): Promise<readonly OwnToken[]> {
  const { dialect } = database
  const place = (position: number) => mark(dialect, position)
  const time = columnOf('time', 'dateTime?', database)
  const sql =
    `SELECT id, name, created_at, last_used_at, expires_at FROM personal_access_tokens ` +
    `WHERE user_id = ${place(1)} AND (expires_at IS NULL OR expires_at > ${place(2)}) ` +
    `ORDER BY id DESC LIMIT ${most}`
  const now = time.encode(new Date().toISOString())
  const rows = await database.query(named('read', sql), [userId, now])
  return rows.map(([id, name, created, used, expires]) => ({
    id: Number(id),
    name: String(name),
    created_at: timeOf(time, created) ?? '',
    last_used_at: timeOf(time, used),
    expires_at: timeOf(time, expires),
    is_current: Number(id) === current,
  }))
}

/** Revokes one of the user's tokens; 404 for anyone else's, as for none. */
export async function revokeToken(
  { database }: Of,
  userId: number | string,
  id: string,
): Promise<void> {
  const isId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647
  if (!isId) throw notFound()
  const place = (position: number) => mark(database.dialect, position)
  const where = `WHERE id = ${place(1)} AND user_id = ${place(2)}`
  const sql = `DELETE FROM personal_access_tokens ${where} RETURNING id`
  const gone = await database.query(named('write', sql), [Number(id), userId])
  if (gone.length === 0) throw notFound()
}

/** Clears away the user's tokens that have ended, and those beyond the most one user has. */
export async function revokeExpired({ database }: Of, userId: number | string): Promise<void> {
  const place = (position: number) => mark(database.dialect, position)
  const own = (position: number) => `personal_access_tokens WHERE user_id = ${place(position)}`
  const used = 'coalesce(last_used_at, created_at) DESC, id DESC'
  const kept = `SELECT id FROM ${own(3)} ORDER BY ${used} LIMIT ${most}`
  const sql = `DELETE FROM ${own(1)} AND (expires_at <= ${place(2)} OR id NOT IN (${kept}))`
  const time = columnOf('expires_at', 'dateTime', database)
  const now = time.encode(new Date().toISOString())
  await database.query(named('write', sql), [userId, now, userId])
}
