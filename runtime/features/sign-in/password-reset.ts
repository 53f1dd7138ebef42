import type { Connection, Statement } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import { columnOf } from '../../model/columns.js'
import type { Input } from '../../input/validation.js'
import type { MailContent } from '../mail/mail.js'
import { findAccount, revokeAccess, writePassword } from './accounts.js'
import type { AnyUser, Auth } from './auth.js'
import { formRules, newPasswordErrors, readForm } from './input.js'
import { fillLink } from './links.js'
import { hashPassword } from './password.js'
import { hashSecret, isSameHash, randomSecret } from './token-text.js'
import { mark, named } from './users.js'

/** Minutes a reset link is valid. */
const validMinutes = 60

/** What a reset mail is made of. */
export interface ResetMail {
  readonly email: string
  readonly link: string
  /** Minutes the link is valid. */
  readonly minutes: number
}

interface Message {
  readonly message: string
}

/**
 * Mails a reset link. The answer is given before anyone is looked for, so it cannot tell, by text
 * or by time, whether the e-mail is known.
 */
export async function forgotPassword<User extends AnyUser>(
  auth: Auth<User>,
  body: Input,
  { mail }: { readonly mail: (reset: ResetMail) => MailContent },
): Promise<Message> {
  const { email } = readForm(body, { email: formRules.email })
  auth.afterwards('mailing a reset link', () => mailLink(auth, email, mail))
  return { message: 'Reset password link sent to your email.' }
}

async function mailLink<User extends AnyUser>(
  auth: Auth<User>,
  email: string,
  mail: (reset: ResetMail) => MailContent,
): Promise<void> {
  const account = await findAccount(auth, email)
  if (account === null) return
  const token = randomSecret()
  const time = columnOf('created_at', 'dateTime', auth.database)
  const now = time.encode(new Date().toISOString())
  await auth.database.query(remember(auth), [email, hashSecret(token), now])
  const { config, env } = auth
  const link = fillLink(config.password_reset_url, env.FRONTEND_APP_URL, { token, email })
  await auth.mailer.send({ to: account.email, ...mail({ email, link, minutes: validMinutes }) })
}

/**
 * Sets a new password with the token of a reset mail: once, within the hour, for the e-mail it was
 * sent to. Every token of the user is revoked. Whatever is wrong with token or e-mail is the same
 * 400.
 */
export async function resetPassword<User extends AnyUser>(
  auth: Auth<User>,
  body: Input,
): Promise<Message> {
  const form = { email: formRules.email, token: formRules.token, password: formRules.newPassword }
  const errors = newPasswordErrors(body, body['email'])
  const { email, token, password } = readForm(body, form, errors)
  const oldest = oldestMoment(auth)
  const [row] = await auth.database.query(recall(auth), [email, oldest])
  const stored = hashSecret(token)
  if (!isSameHash(stored, String(row?.[0] ?? hashSecret('')))) throw invalidToken()
  const hash = await hashPassword(password)
  await auth.database.transaction((connection) =>
    redeem(auth, connection, { email, stored, hash, oldest }),
  )
  return { message: 'Your password has been successfully reset.' }
}

interface Redeeming {
  readonly email: string
  readonly stored: string
  readonly hash: string
  readonly oldest: string
}

/** Of two requests with one token, the one whose DELETE finds the row goes on. */
async function redeem<User extends AnyUser>(
  auth: Auth<User>,
  connection: Connection,
  { email, stored, hash, oldest }: Redeeming,
): Promise<void> {
  const taken = await connection.query(forget(auth), [email, stored, oldest])
  const account = await findAccount(auth, email, connection)
  if (taken.length === 0 || account === null) throw invalidToken()
  await writePassword(auth, connection, { id: account.id, hash })
  await revokeAccess(auth, connection, { userId: account.id })
}

const invalidToken = () => new HttpError(400, 'Provided invalid token.')

function oldestMoment<User extends AnyUser>({ database }: Auth<User>): string {
  const time = columnOf('created_at', 'dateTime', database)
  return String(time.encode(new Date(Date.now() - validMinutes * 60_000).toISOString()))
}

type Of = Pick<Auth<AnyUser>, 'database'>

function statement({ database }: Of, access: Statement['access'], sql: string): Statement {
  return named(
    access,
    sql.replaceAll(/\?(\d)/g, (_, at: string) => mark(database.dialect, Number(at))),
  )
}

const remember = (of: Of) =>
  statement(
    of,
    'write',
    `INSERT INTO password_resets (email, token, created_at) VALUES (?1, ?2, ?3) ` +
      `ON CONFLICT (email) DO UPDATE SET token = excluded.token, created_at = excluded.created_at`,
  )

const recall = (of: Of) =>
  statement(of, 'read', `SELECT token FROM password_resets WHERE email = ?1 AND created_at > ?2`)

const forget = (of: Of) =>
  statement(
    of,
    'write',
    `DELETE FROM password_resets WHERE email = ?1 AND token = ?2 AND created_at > ?3 ` +
      `RETURNING email`,
  )
