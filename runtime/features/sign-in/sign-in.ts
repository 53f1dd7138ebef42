import { notFound, type FieldErrors } from '../../errors.js'
import { absent, sentence } from '../../input/messages.js'
import type { Input } from '../../input/validation.js'
import { readId } from '../../model/ids.js'
import { findAccount, writePassword, type Account } from './accounts.js'
import type { AnyUser, Auth, ForRequest } from './auth.js'
import { canonicalEmail } from './emails.js'
import { formRules, newPasswordErrors, readForm, strangersIn } from './input.js'
import { showOwn, storeOwn, withMeta, type WithMeta } from './own-record.js'
import { revokeExpired } from './own-tokens.js'
import { checkPassword, hashPassword, needsRehash } from './password.js'
import { invalidCredentials, issueToken } from './tokens.js'
import { mailVerification, type VerifyMailer } from './verification.js'

interface Device extends ForRequest {
  readonly device: string
}

/** In `meta` of the user's own resource. */
interface SignedIn {
  /** `<id>|<random>`, for `Authorization: Bearer`. Shown once. */
  readonly token: string
  /** ISO time in UTC; null: until it is revoked. */
  readonly expires_at: string | null
}

/**
 * Makes a user and signs them in. Only e-mail, password and `auth.register_fields` are taken from
 * the body. `mail` is sent when the config asks for verification.
 */
export async function register(
  auth: Auth,
  body: Input,
  options: Device & VerifyMailer,
): Promise<WithMeta<SignedIn>> {
  const { email } = body
  const names = ['email', 'password', ...auth.config.auth.register_fields]
  const taken = names.filter((name) => Object.hasOwn(body, name))
  const input = Object.fromEntries(taken.map((name) => [name, body[name]]))
  if (typeof email === 'string') input['email'] = canonicalEmail(email)
  // Clients of this kind of API send a name, even where users have none.
  const ignored = Object.hasOwn(auth.users.entity.rules, 'name') ? [] : ['name']
  const strange = strangersIn(auth, body, [...names, 'password_confirmation', ...ignored])
  const errors = { ...missingPassword(body), ...newPasswordErrors(body, email), ...strange }
  const id = await storeOwn(auth.repository, input, errors)
  const user = await findById(auth, id)
  if (auth.config.auth.verify_email) mailVerification(auth, user, options)
  return signedIn(auth, user, options)
}

/** Rows may have no password, such as imported ones; who registers has. */
function missingPassword({ password }: Input): FieldErrors {
  if (password !== undefined && password !== null) return {}
  return { password: [sentence('password', absent(password))] }
}

/**
 * Signs a user in. An unknown e-mail and a wrong password are the same answer after the same work:
 * one statement and one Argon2 verification.
 */
export async function login(auth: Auth, body: Input, options: Device): Promise<WithMeta<SignedIn>> {
  const form = { email: formRules.email, password: formRules.password }
  const { email, password } = readForm(body, form, strangersIn(auth, body, Object.keys(form)))
  const account = await findAccount(auth, email)
  const isRight = await checkPassword(account?.password ?? null, password)
  if (account === null || !isRight) throw invalidCredentials()
  const stored = await withTodaysHash(auth, account, password)
  const user = await findById(auth, String(account.id))
  const signed = await signedIn(auth, user, { ...options, password: stored })
  auth.afterwards('clearing tokens', () => revokeExpired(auth, account.id), options)
  return signed
}

/** The hash of a password that was right, made anew where today's parameters are others. */
async function withTodaysHash(
  auth: Auth,
  { id, password: previous }: Account,
  password: string,
): Promise<string> {
  if (!needsRehash(previous)) return previous
  const hash = await hashPassword(password)
  const isWritten = await writePassword(auth, auth.database, { id, hash, previous })
  return isWritten ? hash : previous
}

async function findById(auth: Auth, text: string): Promise<AnyUser> {
  const id = readId(auth.users.entity.id, text)
  const user = id === null ? null : await auth.find(id)
  if (user === null) throw notFound()
  return user
}

async function signedIn(
  auth: Auth,
  user: AnyUser,
  { device: name, password }: Device & { readonly password?: string },
): Promise<WithMeta<SignedIn>> {
  const ttl = auth.config.auth.token_ttl
  const { table } = auth.users.entity
  const resource = await showOwn(auth.repository, user, user.id)
  const condition = password === undefined ? {} : { while: { table, password } }
  const token = await issueToken(auth.database, { userId: user.id, name, ttl, ...condition })
  return withMeta(resource, { token: token.text, expires_at: token.expires_at })
}
