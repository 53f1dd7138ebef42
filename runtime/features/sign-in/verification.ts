import { badRequest, HttpError } from '../../errors.js'
import { readId } from '../../model/ids.js'
import { identifier, sql, write } from '../../sql/sql.js'
import type { MailContent } from '../mail/mail.js'
import { accountOf } from './accounts.js'
import type { AnyUser, Auth, ForRequest } from './auth.js'
import { fillLink, isSignedEmail, signEmail } from './links.js'
import { showOwn, withMeta, type WithMeta } from './own-record.js'
import { storedTime } from './times.js'

/** The parts of a verification mail. */
export interface VerifyMail {
  readonly email: string
  readonly link: string
}

/** Writes it. */
export interface VerifyMailer extends ForRequest {
  readonly mail: (link: VerifyMail) => MailContent
}

/** Mails a link that only its receiver has, after the answer. */
export function mailVerification(auth: Auth, { id, email }: AnyUser, by: VerifyMailer): void {
  const { config, env, mailer } = auth
  const send = async () => {
    const values = { id: String(id), emailHash: signEmail({ key: env.APP_KEY, id, email }) }
    const link = fillLink(config.verify_email_url, env.FRONTEND_APP_URL, values)
    await mailer.send({ to: email, ...by.mail({ email, link }) })
  }
  auth.afterwards('sending a mail', send, by)
}

/** Mails the signed-in user another link; who is verified already gets none. */
export function sendVerification(
  auth: Auth,
  user: AnyUser,
  options: VerifyMailer,
): { readonly message: string } {
  if (!auth.config.auth.verify_email) throw badRequest('E-mails are not verified here.')
  const row: object = user
  const isVerified = 'email_verified_at' in row && row.email_verified_at !== null
  if (isVerified) return { message: 'Your e-mail is verified already.' }
  mailVerification(auth, user, options)
  return { message: 'A new link is on its way.' }
}

/**
 * Marks the address verified; a second time changes nothing. A link of another user or address,
 * one that has ended, and one of no user are the same 403.
 */
export async function verifyEmail(
  auth: Auth,
  idText: string,
  emailHash: string,
): Promise<WithMeta<{ readonly message: string }>> {
  const id = readId(auth.users.entity.id, idText)
  const account = id === null ? null : await accountOf(auth, id)
  const address = { key: auth.env.APP_KEY, id: account?.id ?? 0, email: account?.email ?? '' }
  const isSigned = isSignedEmail(address, emailHash)
  if (account === null || !isSigned) throw new HttpError(403, 'Invalid or expired link.')
  await markVerified(auth, account)
  const resource = await showOwn(auth.repository, await auth.find(account.id), account.id)
  return withMeta(resource, { message: 'Email verified successfully.' })
}

/** Only the first time, and only the address the link was sent to. */
async function markVerified({ database, users }: Auth, { id, email }: AnyUser): Promise<void> {
  if (!users.entity.columns.has('email_verified_at')) return
  const set = sql`SET email_verified_at = ${storedTime(database)}`
  const where = sql`WHERE id = ${id} AND email = ${email} AND email_verified_at IS NULL`
  await write(database, sql`UPDATE ${identifier(users.entity.table)} ${set} ${where}`)
}
