import type { Context, MiddlewareHandler } from 'hono'
import { unauthenticated } from '../../errors.js'
import type { AccessToken, ServerEnv } from '../../http/context.js'
import type { Log } from '../../http/log.js'
import { columnOf } from '../../model/columns.js'
import type { Connection, Database, Dialect, Statement } from '../../database/types.js'
import { hashSecret, isSameHash, randomSecret, readBearer } from './token-text.js'
import { mark, named, quoted, timeOf, userReader, type UserSource } from './users.js'

export interface BearerOptions<User> extends UserSource<User> {
  readonly database: Database
  readonly log: Log
  /**
   * URI keys of repositories whose index and show need no token.
   */
  readonly publicReads?: readonly string[]
  /** A second provider: finds the user of a token that is not one of ours. */
  readonly jwt?: ((token: string) => Promise<User | null>) | null
}

/** Milliseconds between two writes of `last_used_at` of one token. */
const useInterval = 60_000

/**
 * `auth:token`: sets `c.var.user` and `c.var.token`, or answers 401. A public repository may be
 * read without a token; a token that is sent and not valid is 401 there too, because its sender
 * believes to be signed in.
 */
export function bearerToken<User, E extends ServerEnv<User> = ServerEnv<User>>(
  options: BearerOptions<User>,
): MiddlewareHandler<E> {
  const find = createLookup<User>(options)
  const touch = createTouch(options.database, options.log)
  const isPublic = publicReads(options.publicReads ?? [])
  const { jwt = null } = options
  const handler: MiddlewareHandler<ServerEnv<User>> = async (c, next) => {
    const header = c.req.header('authorization')
    if (header === undefined && isPublic(c)) return next()
    const foreign = jwt === null ? null : foreignToken(header ?? '')
    if (jwt !== null && foreign !== null) {
      c.set('user', (await jwt(foreign)) ?? refuse())
      return next()
    }
    const found = header === undefined ? null : await find(header)
    if (found === null) throw unauthenticated()
    c.set('user', found.user)
    c.set('token', found.token)
    await next()
    touch(found)
  }
  // E has these variables and possibly more, which a handler that sets only these cannot say.
  return handler as unknown as MiddlewareHandler<E>
}

function refuse(): never {
  throw unauthenticated()
}

/** `Authorization: Bearer <header>.<payload>.<signature>`; null for anything else. */
function foreignToken(header: string): string | null {
  return /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1] ?? null
}

export interface NewToken {
  readonly userId: number | string
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

/** Makes a bearer token for a user. */
export async function issueToken(
  connection: Connection & { readonly dialect: Dialect },
  wanted: NewToken,
): Promise<IssuedToken> {
  const issued = await issueTokenWhile(connection, wanted)
  if (issued === null) throw new TypeError('no token was written')
  return issued
}

/** The same; null when the password is another one by now. */
export async function issueTokenWhile(
  connection: Connection & { readonly dialect: Dialect },
  { userId, name, ttl, while: condition }: NewToken,
): Promise<IssuedToken | null> {
  const secret = randomSecret()
  const now = Date.now()
  const expires_at = ttl === null ? null : new Date(now + ttl * 60_000).toISOString()
  const time = columnOf('expires_at', 'dateTime?', connection)
  const values = [
    name,
    hashSecret(secret),
    expires_at === null ? null : time.encode(expires_at),
    time.encode(new Date(now).toISOString()),
    userId,
  ]
  const [row] =
    condition === undefined
      ? await connection.query(insertToken(connection.dialect), values)
      : await connection.query(insertTokenWhile(connection.dialect, condition.table), [
          ...values,
          condition.password,
        ])
  if (row === undefined) return null
  const id = Number(row[0])
  return { id, name, expires_at, text: `${id}|${secret}` }
}

interface Found<User> {
  readonly user: User
  readonly token: AccessToken
  readonly lastUsed: string | null
}

function createLookup<User>(options: BearerOptions<User>) {
  const { database } = options
  const { dialect } = database
  const reader = userReader(options, database)
  const statement = selectToken(dialect, options.table, reader.selection)
  const time = columnOf('expires_at', 'dateTime?', database)

  return async (header: string): Promise<Found<User> | null> => {
    const text = readBearer(header)
    if (text === null) return null
    const [row] = await database.query(statement, [text.id])
    if (row === undefined || !isSameHash(String(row[0]), hashSecret(text.secret))) return null
    const expires_at = timeOf(time, row[2])
    if (expires_at !== null && expires_at <= new Date().toISOString()) return null
    return {
      user: reader.read(row, 4),
      token: { id: text.id, name: String(row[1]), expires_at },
      lastUsed: timeOf(time, row[3]),
    }
  }
}

/**
 * Writes `last_used_at` after the answer, at most once a minute per token; a failure is logged
 * and harms nobody.
 */
function createTouch(database: Database, log: Log) {
  const statement = touchToken(database.dialect)
  const time = columnOf('last_used_at', 'dateTime', database)
  const writing = new Set<number>()
  return ({ token, lastUsed }: Pick<Found<unknown>, 'token' | 'lastUsed'>): void => {
    const now = Date.now()
    if (lastUsed !== null && now - Date.parse(lastUsed) < useInterval) return
    if (writing.has(token.id)) return
    writing.add(token.id)
    setImmediate(() => {
      database
        .query(statement, [time.encode(new Date(now).toISOString()), token.id])
        .catch((error: unknown) => log.warn({ err: error }, 'last_used_at was not written'))
        .finally(() => writing.delete(token.id))
    })
  }
}

/**
 * `/api/svc/posts` and `/api/svc/posts/1`, nothing below: related records have policies and
 * tokens of their own.
 */
function publicReads(keys: readonly string[]) {
  const known = new Set(keys)
  return (c: Pick<Context, 'req'>): boolean => {
    if (known.size === 0) return false
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return false
    const [, , , key = '', , ...below] = c.req.path.split('/')
    return known.has(key) && below.length === 0
  }
}

function selectToken(dialect: Dialect, table: string, selection: string): Statement {
  return named(
    'read',
    `SELECT t.token, t.name, t.expires_at, t.last_used_at, ${selection} ` +
      `FROM personal_access_tokens t ` +
      `JOIN ${quoted(table)} u ON u.id = t.user_id WHERE t.id = ${mark(dialect, 1)}`,
  )
}

const touchToken = (dialect: Dialect): Statement => ({
  access: 'write',
  sql:
    `UPDATE personal_access_tokens SET last_used_at = ${mark(dialect, 1)} ` +
    `WHERE id = ${mark(dialect, 2)}`,
})

const insertToken = (dialect: Dialect): Statement => ({
  access: 'write',
  sql:
    `INSERT INTO personal_access_tokens (name, token, expires_at, created_at, user_id) ` +
    `VALUES (${[1, 2, 3, 4, 5].map((at) => mark(dialect, at)).join(', ')}) RETURNING id`,
})

function insertTokenWhile(dialect: Dialect, table: string): Statement {
  const values = [1, 2, 3, 4].map((at) => mark(dialect, at)).join(', ')
  return named(
    'write',
    `INSERT INTO personal_access_tokens (name, token, expires_at, created_at, user_id) ` +
      `SELECT ${values}, id FROM ${quoted(table)} ` +
      `WHERE id = ${mark(dialect, 5)} AND password = ${mark(dialect, 6)} RETURNING id`,
  )
}
