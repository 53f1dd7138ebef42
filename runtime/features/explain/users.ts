import type { Entity, Row } from '../../model/entity.js'
import { identifier, type Sql, sql } from '../../sql/sql.js'
import { cut, harmless } from './shown-value.js'
import { type Asker, Unanswerable } from './why-types.js'

/** Finds users as policies know them; `u` is their table. */
export interface Users {
  readonly entity: Entity
  where(condition: Sql): Promise<readonly unknown[]>
}

const guests: ReadonlySet<string> = new Set(['guest', 'nobody', '-'])

/** The user of this id or e-mail; null: a guest. */
export async function userCalled(users: Users | null, name: string): Promise<Asker> {
  if (guests.has(name)) return null
  if (users === null) throw new Unanswerable('Nobody signs in to this project: ask about a guest.')
  const email = users.entity.columns.get('email')
  const byId = sql`cast(u.${identifier(users.entity.id.name)} as text) = ${name}`
  const byEmail =
    email === undefined ? sql`` : sql` or lower(u.${identifier(email.name)}) = lower(${name})`
  // They are rows of the users' table.
  const found = (await users.where(sql`${byId}${byEmail}`)) as readonly Row[]
  const user = found.find(({ id }) => String(id) === name) ?? found[0]
  if (user !== undefined) return user
  throw new Unanswerable(
    `There is no user '${harmless(name)}': name one by id or e-mail, or 'guest'.`,
  )
}

export function personOf(users: Pick<Users, 'entity'> | null, user: Asker) {
  if (user === null) return null
  const title = users?.entity.title ?? 'name'
  const name = user[title] ?? user['name'] ?? user['email'] ?? `user ${String(user['id'])}`
  return { id: String(user['id']), name: harmless(cut(String(name))) }
}
