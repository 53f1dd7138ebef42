import type { Context, MiddlewareHandler } from 'hono'
import { Assumption } from '../../database/assumption.js'
import type { Connection, Database, RawRow } from '../../database/types.js'
import { HttpError, unauthenticated } from '../../errors.js'
import { type AccessToken, isRead, type ServerEnv } from '../../http/context.js'
import { withDirectStep } from '../../http/direct.js'
import type { Log } from '../../http/log.js'
import { andThen, type Later } from '../../later.js'
import { existingAnd } from '../../policy/access.js'
import { compile, flat, identifier, raw, readSoon, type Sql, sql, write } from '../../sql/sql.js'
import { LastRows } from './last-rows.js'
import { readTime, storedTime } from './times.js'
import {
  type BearerText,
  foreignToken,
  hashSecret,
  isSameHash,
  randomSecret,
  readBearer,
} from './token-text.js'
import type { UserSource } from './users.js'

export interface BearerOptions<User> {
  readonly users: UserSource<User>
  readonly log: Log
  /** Names what is read without a token: repositories as `posts`, and relations as `posts/comments`. */
  readonly publicReads?: readonly string[]
  /** True: whoever sends no token is a guest, at any address. */
  readonly isOptional?: boolean
  /**
   * Reads what identifies the sender: `Bearer <token>`. By default the `Authorization` header.
   * @example credentials: (c) => { const key = c.req.header('x-api-key'); return key && `Bearer ${key}` }
   */
  readonly credentials?: (c: Pick<Context, 'req'>) => string | undefined
  /** A second provider: finds the user of a token that is not one of ours. */
  readonly jwt?: ((token: string) => Promise<User | null>) | null | undefined
  /** Reads more with a token, in its statement, where users are `u`. */
  readonly also?: AlsoRead | null
}

interface AlsoRead {
  readonly select: Sql
  readonly found: (c: object, value: unknown) => void
}

/** Milliseconds between two writes of `last_used_at` of one token. */
const useInterval = 60_000

/**
 * `auth:token`: sets what `c.get('user')` and `c.get('token')` answer, or is 401. A public
 * repository may be read without a token; a token that is sent and not valid is 401 there too,
 * because its sender believes to be signed in.
 */
export function bearerToken<User, E extends ServerEnv<User> = ServerEnv<User>>(
  options: BearerOptions<User>,
): MiddlewareHandler<E> {
  const { users, log, jwt = null, also = null, isOptional = false } = options
  const { credentials = (c) => c.req.header('authorization') } = options
  const tokens = findsTokens(users, also)
  const touch = createTouch(users.entity.database, log)
  const isPublic = publicReads(options.publicReads ?? [])
  /** Null: a guest. */
  const senderOf = (
    header: string | undefined,
    mayBeGuest: () => boolean,
  ): Later<Sender<User> | null> => {
    if (header === undefined) {
      if (isOptional || mayBeGuest()) return null
      throw unauthenticated()
    }
    const foreign = jwt === null ? null : foreignToken(header)
    const sender: Later<Sender<User> | null> =
      jwt !== null && foreign !== null
        ? Promise.resolve(jwt(foreign)).then((user) => user && { user, found: null })
        : andThen(tokens.find(header), (found) => found && { user: found.user, found })
    return andThen(sender, known)
  }
  const handler: MiddlewareHandler<ServerEnv<User>> = async (c, next) => {
    const sender = await senderOf(credentials(c), () => isRead(c) && isPublic(c.req.path))
    if (sender === null) return next()
    c.set('user', sender.user)
    const { found } = sender
    if (found === null) return next()
    c.set('token', found.token)
    also?.found(c, found.more)
    await next()
    touch(found, c.get('requestId'))
  }
  if (options.credentials === undefined && also === null) {
    withDirectStep(handler, (request) => {
      const { authorization } = request.sent
      const assumed = request.mayAssume ? tokens.assume(authorization) : null
      if (assumed !== null) {
        request.assumption = assumed.assumption
        request.user = assumed.user
        request.token = assumed.token
        return () => touch(assumed, request.requestId)
      }
      return andThen(
        senderOf(authorization, () => request.req.method === 'GET' && isPublic(request.req.path)),
        (sender) => {
          if (sender === null) return
          request.user = sender.user
          const { found } = sender
          if (found === null) return
          request.token = found.token
          return () => touch(found, request.requestId)
        },
      )
    })
  }
  // E has these variables and possibly more, which a handler that sets only these cannot say.
  return handler as unknown as MiddlewareHandler<E>
}

export interface NewToken {
  /** As rows have it, or Prisma. */
  readonly userId: number | string | bigint
  /** For people: which device or program holds it. */
  readonly name: string
  /** Minutes it is valid; null: until it is revoked. */
  readonly ttl: number | null
  /**
   * Only while the user's stored password still is this one: a password that is changed while it
   * is verified opens nothing.
   */
  readonly while?: { readonly table: string; readonly password: string }
}

export interface IssuedToken extends AccessToken {
  /** `<id>|<secret>`: shown once; only the hash of the secret is stored. */
  readonly text: string
}

/** Makes a bearer token for a user; 401 when the password is another one by now. */
export async function issueToken(
  connection: Connection,
  { userId, name, ttl, while: condition }: NewToken,
): Promise<IssuedToken> {
  const secret = randomSecret()
  const now = Date.now()
  const end = ttl === null ? null : now + ttl * 60_000
  const expires = end === null ? null : storedTime(connection, end)
  const values = sql`${name}, ${hashSecret(secret)}, ${expires}, ${storedTime(connection, now)}`
  const row =
    condition === undefined
      ? sql`VALUES (${values}, ${userId})`
      : sql`SELECT ${values}, id FROM ${identifier(condition.table)}
          WHERE id = ${userId} AND password = ${condition.password}`
  const columns = sql`(name, token, expires_at, created_at, user_id)`
  const insert = sql`INSERT INTO personal_access_tokens ${columns} ${row} RETURNING id`
  const [made] = await write(connection, insert)
  if (made === undefined) throw invalidCredentials()
  const tokenId = Number(made[0])
  const expires_at = end === null ? null : new Date(end).toISOString()
  return { id: tokenId, name, expires_at, text: `${tokenId}|${secret}` }
}

export const invalidCredentials = () => new HttpError(401, 'Invalid credentials.')

interface Sender<User> {
  readonly user: User
  /** Null: the token is of an outside issuer. */
  readonly found: FoundToken<User> | null
}

function known<User>(sender: Sender<User> | null): Sender<User> {
  if (sender === null) throw unauthenticated()
  return sender
}

interface FoundToken<User> {
  readonly user: User
  readonly token: AccessToken
  lastUsed: string | null
  readonly more: unknown
}

/**
 * Finds the token of a header and its user, in one statement; null where it is not valid. `assume`
 * finds them as they were the last time, where the database tells for nothing whether they still are:
 * the policy is asked, and the statement of the record sent, before that is known.
 */
function findsTokens<User>(users: UserSource<User>, also: AlsoRead | null) {
  const { entity, width } = users
  const { database } = entity
  const lastRows = new LastRows(width + lastUsedAt)
  // Every request begins with this, so it is written once: with the first, when all is loaded.
  let byId: Sql | null = null
  const written = () => {
    const more = also === null ? raw('') : sql`, ${also.select}`
    const columns = sql`${users.select()}, t.token, t.name, t.expires_at, t.last_used_at${more}`
    const from = sql`FROM personal_access_tokens t JOIN ${identifier(entity.table)} u ON u.id = t.user_id`
    return flat(sql`SELECT ${columns} ${from} WHERE ${existingAnd(entity, 'u')}t.id = `)
  }
  return { find, assume }

  function find(header: string): Later<FoundToken<User> | null> {
    const text = readBearer(header)
    if (text === null) return null
    byId ??= written()
    return andThen(readSoon(database, sql`${byId}${text.id}`), ([row]) => {
      if (row === undefined) return null
      // Reading it decodes it.
      const asSent = database.query.mayAssume === undefined ? null : row.slice()
      const found = foundIn(row, text)
      if (found !== null && asSent !== null) lastRows.note(text.id, asSent)
      return found
    })
  }

  /** Null: it is not known, or what is known changes with every request. */
  function assume(header: string | undefined): AssumedToken<User> | null {
    if (header === undefined || byId === null || database.query.mayAssume !== true) return null
    const text = readBearer(header)
    const known = text && lastRows.find(text.id)
    if (text === null || known === null) return null
    const found = foundIn(known.slice(), text)
    if (found === null) return null
    const { text: statement, parameters } = compile(sql`${byId}${text.id}`, database.dialect)
    const check = ([row]: readonly RawRow[]): boolean => {
      const isSame = lastRows.isAs(text.id, known, row)
      found.lastUsed = readTime(database, row?.[width + lastUsedAt])
      return isSame
    }
    const read = { sql: statement, access: 'read', most: 1 } as const
    return Object.assign(found, { assumption: new Assumption(database, read, parameters, check) })
  }

  function foundIn(row: RawRow, text: BearerText): FoundToken<User> | null {
    const [hash, name, expires, used, more] = row.slice(width)
    if (!isSameHash(String(hash), hashSecret(text.secret))) return null
    const expires_at = readTime(database, expires)
    if (expires_at !== null && expires_at <= new Date().toISOString()) return null
    return {
      user: users.read(row),
      token: { id: text.id, name: String(name), expires_at },
      lastUsed: readTime(database, used),
      more,
    }
  }
}

interface AssumedToken<User> extends FoundToken<User> {
  readonly assumption: Assumption
}

/** The index of `last_used_at` behind the columns of the user. */
const lastUsedAt = 3

/** Writes `last_used_at` after the answer, once a minute per token; a failure is only logged. */
function createTouch(database: Database, log: Log) {
  const writing = new Set<number>()
  return ({ token, lastUsed }: FoundToken<unknown>, requestId: string): void => {
    const now = Date.now()
    // A clock that went back is no reason to wait until it is there again.
    if (lastUsed !== null && Math.abs(now - Date.parse(lastUsed)) < useInterval) return
    if (writing.has(token.id)) return
    writing.add(token.id)
    const used = sql`last_used_at = ${storedTime(database, now)}`
    setImmediate(() => {
      write(database, sql`UPDATE personal_access_tokens SET ${used} WHERE id = ${token.id}`)
        .catch((err: unknown) => log.warn({ requestId, err }, 'last_used_at was not written'))
        .finally(() => writing.delete(token.id))
    })
  }
}

/**
 * Returns true for `/api/svc/posts` and `/api/svc/posts/1` where `posts` are public, and for
 * `/api/svc/posts/1/comments` and a record below it where `posts/comments` are.
 */
function publicReads(keys: readonly string[]) {
  const keySet = new Set(keys)
  return (path: string): boolean => {
    if (keySet.size === 0) return false
    const [, , , key = '', , relation, , ...below] = path.split('/')
    return below.length === 0 && keySet.has(relation === undefined ? key : `${key}/${relation}`)
  }
}
