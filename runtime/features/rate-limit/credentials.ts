/**
 * One text for all spellings of an `Authorization` header that a guard takes for one; null for what
 * names no scheme.
 *
 *     bearer   7|abc        → bearer 7|abc
 *     BEARER a.b.<sig>      → bearer a.b.<sig>, whatever its last character holds besides bits
 */
export function credentialsIn(header: string | undefined): string | null {
  const [, scheme, credentials] = /^([\w-]+)[ \t]+(\S.*)$/.exec(header ?? '') ?? []
  if (scheme === undefined || credentials === undefined) return null
  return `${scheme.toLowerCase()} ${withOneSignature(credentials)}`
}

/** Base64url has bits to spare: several texts are one signature of a JWT. */
function withOneSignature(credentials: string): string {
  const [, signed, signature] = /^([\w-]+\.[\w-]+\.)([\w-]+)$/.exec(credentials) ?? []
  if (signed === undefined || signature === undefined) return credentials
  return signed + Buffer.from(signature, 'base64url').toString('base64url')
}
