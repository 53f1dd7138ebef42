import type { Context } from 'hono'
import { invalid, notFound, unauthenticated } from '../../errors.js'
import type { ServerVariables } from '../../http/context.js'
import type { Input } from '../../input/validation.js'
import type { WriteOptions } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import type { ShowQuery } from '../../query/query.js'
import { accountOf, revokeAccess, writePassword } from './accounts.js'
import type { AnyUser, Auth } from './auth.js'
import { canonicalEmail, isSameEmail } from './emails.js'
import { formRules, newPassword, newPasswordErrors, readForm, strangersIn } from './input.js'
import { patchOwn, showOwn } from './own-record.js'
import { checkPassword, hashPassword } from './password.js'
import { mailVerification, type VerifyMailer } from './verification.js'

/** The signed-in user; 401 when the route's middleware let a request without one through. */
export function signedInUser<User>(c: { readonly var: Pick<ServerVariables<User>, 'user'> }): User {
  const { user } = c.var
  if (user === null) throw unauthenticated()
  return user
}

/** Describes the device of a token, as people recognize it: from what the client says of itself. */
export function deviceOf(c: Pick<Context, 'req'>): string {
  const agent = c.req.header('user-agent') ?? ''
  return agent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 120) || 'unknown'
}

/** The user's own record. */
export function showProfile(auth: Auth, user: AnyUser, query: ShowQuery): Promise<Resource> {
  return showOwn(auth.repository, user, user.id, query)
}

/** Never set by a profile, whatever the rules of users say. */
const neverInProfile = new Set(['id', 'password', 'email_verified_at', 'is_admin'])

/**
 * Writes the fields given, as the policy's `update` allows. A new address is not verified; `mail`
 * is sent there when the config asks for it.
 */
export async function updateProfile(
  auth: Auth,
  user: AnyUser,
  body: Input,
  options: VerifyMailer & WriteOptions,
): Promise<Resource> {
  const strict = auth.users.entity.settings.strictBodies !== null
  if (strict && Object.hasOwn(body, 'password')) throw invalid(notHere)
  const kept = Object.entries(body).filter(([name]) => !neverInProfile.has(name))
  const input = Object.fromEntries(kept)
  const { email } = input
  if (typeof email === 'string') input['email'] = canonicalEmail(email)
  await patchOwn(auth.repository, user, user.id, input, options)
  const now = await auth.find(user.id)
  if (now === null) throw notFound()
  const isNew = !isSameEmail(now.email, user.email)
  if (isNew && auth.config.auth.verify_email) mailVerification(auth, now, options)
  return showOwn(auth.repository, now, user.id)
}

const notHere = { password: ['The password cannot be changed here: PUT /api/password does.'] }

/** Sets a new password with the current one; the user's other tokens are revoked. */
export async function changePassword(
  auth: Auth,
  user: AnyUser,
  body: Input,
  { token }: { readonly token: number | undefined },
): Promise<{ readonly message: string }> {
  const form = { current_password: formRules.password, password: newPassword(auth) }
  const takes = [...Object.keys(form), 'password_confirmation']
  const strange = strangersIn(auth, body, takes)
  const errors = { ...newPasswordErrors(body, user.email), ...strange }
  const { current_password: current, password } = readForm(body, form, errors)
  const account = await accountOf(auth, user.id)
  const isRight = await checkPassword(account?.password ?? null, current)
  if (account === null || !isRight) throw wrongPassword()
  const change = { id: user.id, hash: await hashPassword(password), previous: account.password }
  await auth.database.transaction(async (connection) => {
    const isWritten = await writePassword(auth, connection, change)
    if (!isWritten) throw wrongPassword()
    const { table } = auth.users.entity
    await revokeAccess(connection, { table, userId: user.id, except: token })
  })
  return { message: 'Your password has been changed.' }
}

const wrongPassword = () => invalid({ current_password: ['The current password is not right.'] })
