import { notFound } from '../../errors.js'
import { raw, read, sql, write } from '../../sql/sql.js'
import type { Auth } from './auth.js'
import { readTime, storedTime } from './times.js'
import { isTokenId } from './token-text.js'

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
const most = raw('100')

/** The tokens of a user that are still good. */
export async function listTokens(
  { database }: Pick<Auth, 'database'>,
  userId: number | string,
  current: number | undefined,
): Promise<readonly OwnToken[]> {
  const isGood = sql`(expires_at IS NULL OR expires_at > ${storedTime(database)})`
  const columns = sql`id, name, created_at, last_used_at, expires_at`
  const from = sql`FROM personal_access_tokens WHERE user_id = ${userId} AND ${isGood}`
  const rows = await read(database, sql`SELECT ${columns} ${from} ORDER BY id DESC LIMIT ${most}`)
  return rows.map(([id, name, created, used, expires]) => ({
    id: Number(id),
    name: String(name),
    created_at: readTime(database, created) ?? '',
    last_used_at: readTime(database, used),
    expires_at: readTime(database, expires),
    is_current: Number(id) === current,
  }))
}

/** Revokes one of the user's tokens; 404 for anyone else's, as for none. */
export async function revokeToken(
  { database }: Pick<Auth, 'database'>,
  userId: number | string,
  id: string,
): Promise<void> {
  if (!isTokenId(id)) throw notFound()
  const where = sql`id = ${Number(id)} AND user_id = ${userId}`
  const query = sql`DELETE FROM personal_access_tokens WHERE ${where} RETURNING id`
  if ((await write(database, query)).length === 0) throw notFound()
}

/** Clears away the user's tokens that have ended, and those beyond the most one user has. */
export async function revokeExpired({ database }: Auth, userId: number | string): Promise<void> {
  const ofUser = sql`personal_access_tokens WHERE user_id = ${userId}`
  const used = sql`coalesce(last_used_at, created_at) DESC, id DESC`
  const kept = sql`SELECT id FROM ${ofUser} ORDER BY ${used} LIMIT ${most}`
  const now = storedTime(database)
  await write(
    database,
    sql`DELETE FROM ${ofUser} AND (expires_at <= ${now} OR id NOT IN (${kept}))`,
  )
}
