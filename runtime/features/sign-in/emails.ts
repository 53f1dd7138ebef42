import type { Dialect } from '../../database/types.js'

/** E-mails are compared, stored and throttled in this form: people vary the case of theirs. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Returns true if two values are one e-mail, however each is written. */
export const isSameEmail = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  canonicalEmail(one) === canonicalEmail(other)

/** The column in that form, also of rows that SQL wrote: the index `<table>_email_any_case`. */
export const foldedEmail = (dialect: Dialect, column = 'email') =>
  dialect === 'sqlite' ? `lower(${column})` : `lower(${column} COLLATE "C")`
