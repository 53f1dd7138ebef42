import { createHash, timingSafeEqual } from 'node:crypto'

/** The id and the secret of `Bearer <id>|<secret>`. */
export function readToken(authorization) {
  const [id, secret] = (authorization ?? '').slice('Bearer '.length).split('|')
  return { id: Number(id), secret: secret ?? '' }
}

/** Every contestant reads the token's row on each request, and compares the hash of the secret with it. */
export function isValid(secret, row) {
  if (row === undefined || row === null) return false
  const given = createHash('sha256').update(secret).digest('hex')
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(row.token))) return false
  return row.expires_at === null || new Date(row.expires_at).getTime() > Date.now()
}
