import type { FeatureCheck } from '../../blueprint/feature.js'
import type { Column, Entity, FeatureTable } from '../../blueprint/types.js'

/** `blueprint/auth.ts` finds the auth repository; this checks what else it needs. */
export const signInCheck: FeatureCheck = {
  tables: ({ auth }) => (auth === null ? [] : signInTables(auth)),
}

/** @param users Those who sign in. */
export const signInTables = (users: Pick<Entity, 'key' | 'id'>): readonly FeatureTable[] => [
  personalAccessTokens(users),
  passwordResets(),
  rateLimits(),
]

const plain = { nullable: false, unique: false, indexed: false, hidden: true, readonly: true }
const createdAt: Column = { ...plain, name: 'created_at', role: 'timestamp', kind: 'dateTime' }
const text = (name: string): Column => ({ ...plain, name, role: 'field', kind: 'text' })
const moment = (name: string): Column => ({ ...text(name), kind: 'dateTime', nullable: true })

/** Bearer tokens; `token` is the SHA-256 of what its owner holds. */
function personalAccessTokens({ key, id }: Pick<Entity, 'key' | 'id'>): FeatureTable {
  const columns: readonly Column[] = [
    { ...plain, name: 'id', role: 'id', kind: 'integer' },
    {
      ...plain,
      name: 'user_id',
      role: 'foreign',
      kind: id,
      references: { entity: key, onDelete: 'cascade' },
    },
    text('name'),
    { ...text('token'), unique: true },
    moment('expires_at'),
    moment('last_used_at'),
    createdAt,
  ]
  return { name: 'personal_access_tokens', model: 'PersonalAccessToken', rowsAs: 'tokens', columns }
}

/** Reset links; one per address, the newest. */
function passwordResets(): FeatureTable {
  const columns: readonly Column[] = [{ ...text('email'), role: 'id' }, text('token'), createdAt]
  return { name: 'password_resets', model: 'PasswordReset', columns }
}

/** Counters of throttles, where several processes share them. */
function rateLimits(): FeatureTable {
  const columns: readonly Column[] = [
    { ...text('key'), role: 'id' },
    { ...text('points'), kind: 'integer' },
    { ...text('expires_at'), kind: 'dateTime', indexed: true },
  ]
  return { name: 'rate_limits', model: 'RateLimit', columns }
}
