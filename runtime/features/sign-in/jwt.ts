import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import type { JwtConfig } from '../../config/server-config.js'
import { ConstraintError, type Database } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import type { Log } from '../../http/log.js'
import { SetupError } from '../../setup-error.js'
import { canonicalEmail, foldedEmail } from './emails.js'
import { mark, named, quoted, userReader, type UserSource } from './users.js'

/** Signatures by a private key only: a public key must never pass as a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']

interface JwtOptions<User> extends UserSource<User> {
  readonly database: Database
  readonly log: Pick<Log, 'error'>
  /** Columns that requests may write. */
  readonly writable: readonly string[]
}

/**
 * Finds the user of an outside issuer's token, or null: wrong signature, issuer, audience, ended,
 * or nobody here. Null instead of a function where the config names no issuer.
 *
 * The column must not be one that people fill in themselves, or they would receive the sessions of
 * others. An e-mail is: so it counts once it was verified here.
 */
export function jwtProvider<User>(config: JwtConfig | null, options: JwtOptions<User>) {
  if (config === null) return null
  checkColumn(config.column, options)
  const { dialect } = options.database
  const reader = userReader(options, options.database)
  const isEmail = config.column === 'email'
  const found = isEmail ? foldedEmail(dialect, 'u.email') : `u.${quoted(config.column)}`
  const isTheirs = isEmail ? ' AND u.email_verified_at IS NOT NULL' : ''
  const where = `WHERE ${found} = ${mark(dialect, 1)}${isTheirs}`
  const sql = `SELECT ${reader.selection} FROM ${quoted(options.table)} u ${where} LIMIT 2`
  const statement = named('read', sql)
  const keys = createRemoteJWKSet(new URL(config.jwks_url))
  const tell = tellOnce(options.log, config.jwks_url)

  return async (token: string): Promise<User | null> => {
    const payload = await verified(token, keys, config, tell)
    const claim = payload === null ? null : claimOf(payload, config.claim)
    if (claim === null) return null
    const value = isEmail ? canonicalEmail(claim) : claim
    const rows = await options.database.query(statement, [value]).catch(refusedValue)
    const [row] = rows
    if (row === undefined || rows.length > 1) return null
    const user = reader.read(row, 0)
    return isEmail || isExactly(user, config.column, claim) ? user : null
  }
}

function checkColumn<User>(column: string, { columns, writable }: JwtOptions<User>): void {
  const at = 'config/svc.ts: auth.jwt.column:'
  if (!Object.hasOwn(columns, column))
    throw new SetupError(`${at} users have no column '${column}'`)
  if (column === 'email' && !Object.hasOwn(columns, 'email_verified_at')) {
    throw new SetupError(
      `${at} an e-mail that was never verified may be anybody's\n` +
        '  fix    in the fields of users: email_verified_at: dateTime().nullable().readonly()',
    )
  }
  if (column !== 'email' && writable.includes(column)) {
    throw new SetupError(
      `${at} people write '${column}' themselves, and so could take the sessions of others\n` +
        `  fix    in the fields of users: ${column}: ….unique().readonly()`,
    )
  }
}

/** SQLite compares numbers: to it, `01` and `1.0` are the id 1. */
const isExactly = (user: unknown, column: string, claim: string) =>
  String(Reflect.get(Object(user), column)) === claim

/** PostgreSQL refuses a value that no column of the kind can hold: then it is nobody's. */
function refusedValue(error: unknown): [] {
  if (error instanceof ConstraintError) return []
  throw error
}

/** Why keys cannot be had, at most once a minute: every request meets it. */
function tellOnce(log: Pick<Log, 'error'>, url: string) {
  let told = 0
  return (error: unknown) => {
    if (Date.now() - told < 60_000) return
    told = Date.now()
    log.error({ err: error }, `auth.jwt: no keys from ${url}`)
  }
}

async function verified(
  token: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  { issuer, audience }: JwtConfig,
  tell: (error: unknown) => void,
): Promise<JWTPayload | null> {
  try {
    const checks = { issuer, audience, algorithms, requiredClaims: ['exp'] }
    return (await jwtVerify(token, keys, checks)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError && !isUnreachable(error)) return null
    tell(error)
    throw new UnavailableError({ cause: error })
  }
}

/** The issuer did not answer, or not with keys: nothing is known of the token. */
const isUnreachable = ({ code }: errors.JOSEError) =>
  code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JWKS_INVALID' || code === 'ERR_JOSE_GENERIC'

/** An address somebody only claims to have is nobody's. */
function claimOf(payload: JWTPayload, claim: string): string | null {
  if (claim === 'email' && payload['email_verified'] !== true) return null
  const value = payload[claim]
  return typeof value === 'string' && value !== '' ? value : null
}
