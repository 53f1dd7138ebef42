import type { Column } from '../../blueprint/types.js'

const plain = { nullable: false, unique: false, indexed: false, hidden: true, readonly: true }
const createdAt: Column = { ...plain, name: 'created_at', role: 'timestamp', kind: 'dateTime' }
const text = (name: string): Column => ({ ...plain, name, role: 'field', kind: 'text' })
const moment = (name: string): Column => ({ ...text(name), kind: 'dateTime', nullable: true })

/** Bearer tokens; `token` is the SHA-256 of what its owner holds. */
export function personalAccessTokens(userId: 'integer' | 'uuid') {
  const columns: readonly Column[] = [
    { ...plain, name: 'id', role: 'id', kind: 'integer' },
    { ...plain, name: 'user_id', role: 'foreign', kind: userId },
    text('name'),
    { ...text('token'), unique: true },
    moment('expires_at'),
    moment('last_used_at'),
    createdAt,
  ]
  return { name: 'personal_access_tokens', model: 'PersonalAccessToken', columns }
}

/** Reset links; one per address, the newest. */
export function passwordResets() {
  const columns = [{ ...text('email'), role: 'id' } as const, text('token'), createdAt]
  return { name: 'password_resets', model: 'PasswordReset', columns }
}

/** Counters of throttles, where several processes share them. */
export function rateLimits() {
  const columns = [
    { ...text('key'), role: 'id' } as const,
    { ...text('points'), kind: 'integer' } as const,
    { ...text('expires_at'), kind: 'dateTime', indexed: true } as const,
  ]
  return { name: 'rate_limits', model: 'RateLimit', columns }
}

/** How far a replica must be before somebody reads from it: past what they wrote last. */
export function readPositions() {
  const columns = [{ ...text('reader'), role: 'id' } as const, text('position')]
  return { name: 'read_positions', model: 'ReadPosition', columns, indexes: [] }
}
