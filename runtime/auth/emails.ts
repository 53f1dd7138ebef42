/** E-mails are compared, stored and throttled in this form: people mistype only the case of theirs. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}
