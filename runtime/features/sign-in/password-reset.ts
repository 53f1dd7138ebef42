import { HttpError } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import { read, sql, write, type Sql } from '../../sql/sql.js'
import type { MailContent } from '../mail/mail.js'
import { findAccount, revokeAccess, writePassword } from './accounts.js'
import type { Auth, ForRequest } from './auth.js'
import { formRules, newPassword, newPasswordErrors, readForm, strangersIn } from './input.js'
import { fillLink } from './links.js'
import { hashPassword } from './password.js'
import { storedTime } from './times.js'
import { hashSecret, isSameHash, randomSecret } from './token-text.js'

/** Minutes a reset link is valid. */
const validMinutes = 60

/** The parts of a reset mail. */
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
export async function forgotPassword(
  auth: Auth,
  body: Input,
  by: ForRequest & { readonly mail: (reset: ResetMail) => MailContent },
): Promise<Message> {
  const { email } = readForm(body, { email: formRules.email }, strangersIn(auth, body, ['email']))
  auth.afterwards('mailing a reset link', () => mailLink(auth, email, by.mail), by)
  return { message: 'Reset password link sent to your email.' }
}

async function mailLink(
  auth: Auth,
  email: string,
  mail: (reset: ResetMail) => MailContent,
): Promise<void> {
  const { config, env, database, mailer } = auth
  const account = await findAccount(auth, email)
  if (account === null) return
  const token = randomSecret()
  const values = sql`${email}, ${hashSecret(token)}, ${storedTime(database)}`
  const renew = sql`SET token = excluded.token, created_at = excluded.created_at`
  const insert = sql`INSERT INTO password_resets (email, token, created_at) VALUES (${values})`
  await write(database, sql`${insert} ON CONFLICT (email) DO UPDATE ${renew}`)
  const link = fillLink(config.password_reset_url, env.FRONTEND_APP_URL, { token, email })
  await mailer.send({ to: account.email, ...mail({ email, link, minutes: validMinutes }) })
}

/**
 * Sets a new password with the token of a reset mail: once, within the hour, for the e-mail it was
 * sent to. Every token of the user is revoked. Whatever is wrong with token or e-mail is the same
 * 400.
 */
export async function resetPassword(auth: Auth, body: Input): Promise<Message> {
  const form = { email: formRules.email, token: formRules.token, password: newPassword(auth) }
  const strange = strangersIn(auth, body, [...Object.keys(form), 'password_confirmation'])
  const errors = { ...newPasswordErrors(body, body['email']), ...strange }
  const { email, token, password } = readForm(body, form, errors)
  const { database, users } = auth
  const isValid = validLink(auth, email)
  const [row] = await read(database, sql`SELECT token FROM password_resets WHERE ${isValid}`)
  const stored = hashSecret(token)
  if (!isSameHash(stored, String(row?.[0] ?? hashSecret('')))) throw invalidToken()
  const hash = await hashPassword(password)
  await database.transaction(async (connection) => {
    // The request whose DELETE finds the row goes on, of two with one token.
    const where = sql`${isValid} AND token = ${stored}`
    const query = sql`DELETE FROM password_resets WHERE ${where} RETURNING email`
    const taken = await write(connection, query)
    const account = await findAccount(auth, email, connection)
    if (taken.length === 0 || account === null) throw invalidToken()
    await writePassword(auth, connection, { id: account.id, hash })
    await revokeAccess(connection, { table: users.entity.table, userId: account.id })
  })
  return { message: 'Your password has been successfully reset.' }
}

const invalidToken = () => new HttpError(400, 'Provided invalid token.')

/** The link that was sent to this e-mail, as long as it is valid. */
function validLink({ database }: Auth, email: string): Sql {
  const [now, most] = [Date.now(), validMinutes * 60_000]
  const [oldest, newest] = [storedTime(database, now - most), storedTime(database, now + most)]
  // One of tomorrow was sent before the clock went back, and would be valid for too long.
  return sql`email = ${email} AND created_at > ${oldest} AND created_at < ${newest}`
}
