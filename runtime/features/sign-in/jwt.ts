import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { ConstraintError } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import type { Log } from '../../http/log.js'
import { columnNamed } from '../../model/entity-columns.js'
import { SetupError } from '../../setup-error.js'
import { identifier, raw, sql } from '../../sql/sql.js'
import type { SignInConfig } from './config.js'
import { canonicalEmail, foldedEmail } from './emails.js'
import type { UserSource } from './users.js'

/** Signatures by a private key only: a public key must never pass as a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']

type JwtConfig = NonNullable<SignInConfig['auth']['jwt']>

interface JwtOptions<User> {
  readonly users: UserSource<User>
  readonly log: Pick<Log, 'error'>
  /** Columns that requests may write. */
  readonly writable: readonly string[]
}

/**
 * Finds the user of an outside issuer's token, or null: wrong signature, issuer, audience, ended,
 * or no user here. Null instead of a function where the config names no issuer.
 *
 * The column must not be one that people fill in themselves, or they would receive the sessions of
 * others. An e-mail is: so it counts once it was verified here.
 */
export function jwtProvider<User>(config: JwtConfig | null, options: JwtOptions<User>) {
  if (config === null) return null
  checkColumn(config.column, options)
  const { users, log } = options
  const isEmail = config.column === 'email'
  const column = isEmail
    ? raw(foldedEmail(users.entity.dialect, 'u.email'))
    : identifier('u', columnNamed(users.entity, config.column).name)
  const isTheirs = raw(isEmail ? ' AND u.email_verified_at IS NOT NULL' : '')
  const keys = remoteKeys(new URL(config.jwks_url))
  const report = onceAMinute(log, `auth.jwt: no keys from ${config.jwks_url}`)

  return async (token: string): Promise<User | null> => {
    const payload = await verified(token, keys, config, report)
    const claim = payload === null ? null : claimOf(payload, config.claim)
    if (claim === null) return null
    const value = isEmail ? canonicalEmail(claim) : claim
    const found = users.where(sql`${column} = ${value}${isTheirs} LIMIT 2`)
    const [user, ...others] = await found.catch(noneOfItsKind)
    if (user === undefined || others.length > 0) return null
    return isEmail || isExactly(user, config.column, claim) ? user : null
  }
}

function checkColumn<User>(column: string, { users, writable }: JwtOptions<User>): void {
  const at = 'config/svc.ts: auth.jwt.column:'
  const { columns } = users.entity
  if (!columns.has(column)) {
    throw new SetupError(`${at} users have no column '${column}'`)
  }
  if (column === 'email' && !columns.has('email_verified_at')) {
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

/** PostgreSQL rejects a value that no column of the kind can hold: then it is no user's. */
function noneOfItsKind(error: unknown): [] {
  if (error instanceof ConstraintError) return []
  throw error
}

/** Logs why keys cannot be had, at most once a minute: every request meets it. */
function onceAMinute(log: Pick<Log, 'error'>, message: string) {
  let last = -Infinity
  return (err: unknown) => {
    if (performance.now() - last < 60_000) return
    last = performance.now()
    log.error({ err }, message)
  }
}

/**
 * The issuer's keys, cached by jose, which goes by the clock of the day: when that goes back, they
 * would be kept until it is there again, and new ones not be asked for.
 */
function remoteKeys(url: URL): JWTVerifyGetKey {
  let keys = createRemoteJWKSet(url)
  let last = Date.now()
  return (header, token) => {
    const now = Date.now()
    if (now < last - 1000) keys = createRemoteJWKSet(url)
    last = now
    return keys(header, token)
  }
}

async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: JwtConfig,
  report: (error: unknown) => void,
): Promise<JWTPayload | null> {
  try {
    const checks = { issuer, audience, algorithms, requiredClaims: ['exp'] }
    return (await jwtVerify(token, keys, checks)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError && !isUnreachable(error)) return null
    report(error)
    throw new UnavailableError('The keys of jwks_url cannot be read.')
  }
}

/** The issuer did not answer, or not with keys: nothing is known of the token. */
const isUnreachable = ({ code }: errors.JOSEError) =>
  code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JWKS_INVALID' || code === 'ERR_JOSE_GENERIC'

/** An address that is only claimed finds no user. */
function claimOf(payload: JWTPayload, claim: string): string | null {
  if (claim === 'email' && payload['email_verified'] !== true) return null
  const value = payload[claim]
  return typeof value === 'string' && value !== '' ? value : null
}
