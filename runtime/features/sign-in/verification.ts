import { badRequest, HttpError } from '../../errors.js'
import { showOwn } from './own-record.js'
import { columnOf } from '../../model/columns.js'
import { readId } from '../../model/ids.js'
import type { Meta, Resource } from '../../model/resource.js'
import type { Mail, MailContent } from '../mail/mail.js'
import { accountOf } from './accounts.js'
import { mailAfterwards, type AnyUser, type Auth } from './auth.js'
import { fillLink, isSignedEmail, signEmail } from './links.js'
import { mark, named, quoted } from './users.js'

/** What a verification mail is made of. */
export interface VerifyMail {
  readonly email: string
  readonly link: string
}

/** A mail with a link that only its receiver has. */
export function verificationMail<User extends AnyUser>(
  { config, env }: Pick<Auth<User>, 'config' | 'env'>,
  { id, email }: AnyUser,
  mail: (link: VerifyMail) => MailContent,
): Mail {
  const emailHash = signEmail({ key: env.APP_KEY, id, email })
  const values = { id: String(id), emailHash }
  const link = fillLink(config.verify_email_url, env.FRONTEND_APP_URL, values)
  return { to: email, ...mail({ email, link }) }
}

/**
 * Mails the signed-in user another link: one is lost, or has ended. Who is verified already gets
 * none.
 */
export function sendVerification<User extends AnyUser>(
  auth: Auth<User>,
  user: User,
  { mail }: { readonly mail: (link: VerifyMail) => MailContent },
): { readonly message: string } {
  if (!auth.config.auth.verify_email) throw badRequest('E-mails are not verified here.')
  const row: object = user
  const isVerified = 'email_verified_at' in row && row.email_verified_at !== null
  if (isVerified) return { message: 'Your e-mail is verified already.' }
  mailAfterwards(auth, () => verificationMail(auth, user, mail))
  return { message: 'A new link is on its way.' }
}

type Verified = Omit<Resource, 'meta'> & { readonly meta: Meta & { readonly message: string } }

/**
 * Marks the address verified; a second time changes nothing. A link of another user or address,
 * one that has ended, and one of nobody are the same 403.
 */
export async function verifyEmail<User extends AnyUser>(
  auth: Auth<User>,
  idText: string,
  emailHash: string,
): Promise<Verified> {
  const id = readId(idColumn(auth), idText)
  const account = id === null ? null : await accountOf(auth, id)
  const address = { key: auth.env.APP_KEY, id: account?.id ?? 0, email: account?.email ?? '' }
  const isSigned = isSignedEmail(address, emailHash)
  if (account === null || !isSigned) throw new HttpError(403, 'Invalid or expired link.')
  await markVerified(auth, account)
  const resource = await showOwn(auth.repository, await auth.find(account.id), account.id)
  // A resource that is shown with its flags has them.
  const flags = resource.meta as Meta
  return { ...resource, meta: { ...flags, message: 'Email verified successfully.' } }
}

/** The kind of key users have. */
export function idColumn<User extends AnyUser>({ users, database }: Auth<User>) {
  return columnOf('id', users.columns.id ?? 'integer', database)
}

/** Only the first time, and only the address the link was sent to. */
async function markVerified<User extends AnyUser>(
  { database, users }: Auth<User>,
  { id, email }: AnyUser,
): Promise<void> {
  if (!Object.hasOwn(users.columns, 'email_verified_at')) return
  const place = (position: number) => mark(database.dialect, position)
  const where = `WHERE id = ${place(2)} AND email = ${place(3)} AND email_verified_at IS NULL`
  const sql = `UPDATE ${quoted(users.table)} SET email_verified_at = ${place(1)} ${where}`
  const time = columnOf('email_verified_at', 'dateTime', database)
  const now = time.encode(new Date().toISOString())
  await database.query(named('write', sql), [now, id, email])
}
