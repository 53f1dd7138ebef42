import type { Database } from '../../database/types.js'
import type { Credentials } from './credential-fields.js'
import { revokeAccess } from './accounts.js'

interface CredentialsOptions {
  readonly database: Database
  readonly table: string
  /** Absent: nobody's address is verified. */
  readonly verifiedAt?: string
}

/**
 * What the repository of users must know: a new password ends every token, a new e-mail is not
 * verified, and power is given by a gate of the policy or not at all.
 */
export function credentialsOf({ table, verifiedAt }: CredentialsOptions): Credentials {
  return {
    ...(verifiedAt === undefined ? {} : { verifiedAt }),
    guarded: ['is_admin', 'email_verified_at'],
    onNewPassword: (connection, userId) => revokeAccess(connection, { table, userId }),
  }
}
