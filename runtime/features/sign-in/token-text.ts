import { hash, randomInt, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 40 random letters and digits: 238 bits. */
export function randomSecret(): string {
  return Array.from({ length: 40 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Hashes a secret for the database. The secret is random, so a fast hash is right. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const left = Buffer.from(one)
  const right = Buffer.from(other)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Ids of tokens are 32-bit; PostgreSQL answers more with an error instead of no row. */
export const isTokenId = (text: string) =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647

/** The schemes that a token is sent with: `Authorization: Bearer …`, or `Token …` as some clients do. */
const tokenSchemes = 'bearer|token'

const ownToken = new RegExp(`^(?:${tokenSchemes}) +(\\d{1,10})\\|([A-Za-z0-9]{40})$`, 'i')

export interface BearerText {
  readonly id: number
  readonly secret: string
}

/** Reads `Authorization: Bearer <id>|<secret>`; null for anything else, however absurd. */
export function readBearer(header: string): BearerText | null {
  const [, id = '', secret = ''] = ownToken.exec(header) ?? []
  return isTokenId(id) ? { id: Number(id), secret } : null
}

const issuedElsewhere = new RegExp(`^(?:${tokenSchemes}) +([\\w-]+\\.[\\w-]+\\.[\\w-]+)$`, 'i')

/** Reads `Authorization: Bearer <header>.<payload>.<signature>`; null for anything else. */
export const foreignToken = (header: string): string | null =>
  issuedElsewhere.exec(header)?.[1] ?? null
