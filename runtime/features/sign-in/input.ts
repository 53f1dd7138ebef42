import type { Context } from 'hono'
import { z } from 'zod'
import type { Values } from '../../config/env.js'
import { invalid, type FieldErrors } from '../../errors.js'
import type { Served } from '../../http/context.js'
import { readBody } from '../../http/request.js'
import { issueText, sentence, worded } from '../../input/messages.js'
import { email, text } from '../../input/rules.js'
import type { Input } from '../../input/validation.js'
import { canonicalEmail, isSameEmail } from './emails.js'
import type { UserSource } from './users.js'

/** Longest password that is looked at, new or not. */
const maxPasswordLength = 200

/** Bytes of the largest form. */
const maxFormBytes = 16_384

/** The body of a form of signing in: anybody may send one, so it is small; larger is 413. */
export const readFormBody = <E extends Served>(c: Context<E>): Promise<Input> =>
  readBody(c, maxFormBytes)

/** Rules of the forms of signing in; addresses come out in canonical form. */
export const formRules = {
  email: z.preprocess(
    (value) => (typeof value === 'string' ? canonicalEmail(value) : value),
    email(),
  ),
  /** A password somebody says they have. */
  password: text().min(1).max(maxPasswordLength),
  token: text().min(1).max(maxPasswordLength),
} as const

/** The storage of users, whoever they are. */
type Users = Pick<UserSource<never>, 'entity'>

/** A password to be: as the manifest says, for whoever registers too. */
export function newPassword({ users }: { readonly users: Users }) {
  const rule = users.entity.rules['password'] ?? text().min(8)
  return text()
    .max(maxPasswordLength)
    .pipe(rule as z.core.$ZodType<string, string>) // of a text
}

/** With `strict_bodies`, what is wrong with keys of a form that nothing reads. */
export const strangersIn = (
  { users }: { readonly users: Users },
  body: Input,
  takes: readonly string[],
): FieldErrors => Object.fromEntries(users.entity.settings.strictBodies?.ofForm(body, takes) ?? [])

/** Reads the fields of a form; 422 with all that are wrong. */
export function readForm<Rules extends Readonly<Record<string, z.core.$ZodType>>>(
  input: Input,
  rules: Rules,
  more: FieldErrors = {},
): Values<Rules> {
  const parsed = z.object(rules).safeParse(input, { error: issueText })
  const errors = new Map<string, string[]>(Object.entries(more))
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0])
    errors.set(name, [sentence(name, message), ...(errors.get(name) ?? [])])
  }
  // TypeScript cannot follow this for any rules.
  if (parsed.success && errors.size === 0) return parsed.data as Values<Rules>
  throw invalid(errors)
}

/** Returns the errors of a new password besides its length. */
export function newPasswordErrors(
  { password, password_confirmation: confirmation }: Input,
  address: unknown,
): FieldErrors {
  if (typeof password !== 'string') return {}
  const unlike = worded('must match the password', 'confirmed')
  const password_confirmation = [sentence('password_confirmation', unlike)]
  return {
    ...(isSameEmail(password, address)
      ? { password: [sentence('password', worded('must not be the e-mail', 'notEmail'))] }
      : {}),
    ...(confirmation === password ? {} : { password_confirmation }),
  }
}
