import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import type { JwtConfig } from '../config.js'
import type { Database } from '../database/types.js'
import { UnavailableError } from '../database/unavailable.js'
import { SetupError } from '../setup-error.js'
import { mark, named, quoted, userReader, type UserSource } from './users.js'

/** Signatures by a private key only: a public key must never pass as a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']

interface JwtOptions<User> extends UserSource<User> {
  readonly database: Database
}

/**
 * Finds the user of an outside issuer's token, or null: wrong signature, issuer, audience, ended,
 * or nobody here. Null instead of a function where the config names no issuer.
 */
export function jwtProvider<User>(config: JwtConfig | null, options: JwtOptions<User>) {
  if (config === null) return null
  if (!Object.hasOwn(options.columns, config.column)) {
    throw new SetupError(`config/svc.ts: auth.jwt.column: users have no column '${config.column}'`)
  }
  const { dialect } = options.database
  const reader = userReader(options, dialect)
  const column = quoted(config.column)
  const where = `WHERE u.${column} = ${mark(dialect, 1)}`
  const sql = `SELECT ${reader.selection} FROM ${quoted(options.table)} u ${where} LIMIT 2`
  const statement = named('read', sql)
  const keys = createRemoteJWKSet(new URL(config.jwks_url))

  return async (token: string): Promise<User | null> => {
    const payload = await verified(token, keys, config)
    const claim = payload === null ? null : claimOf(payload, config.claim)
    if (claim === null) return null
    const rows = await options.database.query(statement, [claim])
    const [row] = rows
    return row === undefined || rows.length > 1 ? null : reader.read(row, 0)
  }
}

async function verified(
  token: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  { issuer, audience }: JwtConfig,
): Promise<JWTPayload | null> {
  try {
    const checks = { issuer, audience, algorithms, requiredClaims: ['exp'] }
    return (await jwtVerify(token, keys, checks)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError && !isUnreachable(error)) return null
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
