import type { EntityDraft } from './entity-draft.js'
import { nearest, type Finding } from './problems.js'

/** The sign-in setting of `config/svc.ts`: a URI key, or null for none. */
export interface UserModel {
  readonly name: string | null
  /** The config names one, or people sign in already; else `users` is a guess. */
  readonly isNamed?: boolean
  /** Relations loaded with the user; absent: none. */
  readonly userWith?: readonly string[]
  readonly verifyEmail?: boolean
}

const USUAL = 'users'

/**
 * The repository whose rows sign in.
 *
 *     config names one            that one; it must exist, with email and password
 *     config names none           users, when the manifest has it with email and password; else there is no auth repository
 *     config says null            none
 */
export function findAuth(
  drafts: readonly EntityDraft[],
  userModel: UserModel | null,
): EntityDraft | null {
  const userKey = userModel === null ? USUAL : userModel.name
  const found = drafts.find(({ key }) => key === userKey)
  return found !== undefined && lacking(found).length === 0 ? found : null
}

function lacking({ fields }: EntityDraft): readonly string[] {
  return ['email', 'password'].filter(
    (kind) => !fields.some((field) => field.name === kind && field.kind === kind),
  )
}

/** Checks the configured auth repository. Where none is named, `users` need not exist. */
export function checkAuth(
  drafts: readonly EntityDraft[],
  userModel: UserModel | null,
): Omit<Finding, 'at'> | null {
  if (userModel === null || userModel.name === null || userModel.isNamed !== true) return null
  const { name } = userModel
  const found = drafts.find(({ key }) => key === name)
  const known = drafts.map(({ key }) => key).toSorted()
  if (found === undefined) {
    return {
      rule: 'user-model',
      message: `auth.user_model is '${name}', and there is no such repository`,
      known,
      fix: `user_model: ${fixedName(name, known)}`,
    }
  }
  const [missing] = lacking(found)
  if (missing === undefined) return null
  return {
    rule: 'user-model',
    message: `auth.user_model is '${name}', and '${found.path}' has no field ${missing}: ${missing}() to sign in with`,
    fix: `in the fields of '${found.path}': ${missing}: ${missing === 'email' ? 'email().unique()' : 'password()'}`,
  }
}

const fixedName = (name: string, known: readonly string[]) => {
  const near = nearest(name, known) ?? known.find((key) => key === USUAL)
  return near === undefined ? 'null, or `svc setup-auth`, which adds users' : `'${near}'`
}

/** Two users must not share an e-mail, and each needs one. */
export function checkEmail(auth: EntityDraft | null): Finding | null {
  const email = auth?.fields.find(({ name }) => name === 'email')
  if (auth === null || email === undefined) return null
  if (email.nullable) {
    return {
      rule: 'user-email-nullable',
      at: [auth.path, 'fields', 'email'],
      message: `'${auth.path}' sign in by email, and one of them could have no email`,
      fix: 'email: email().unique()',
    }
  }
  if (email.unique) return null
  return {
    rule: 'user-email-unique',
    at: [auth.path, 'fields', 'email'],
    message: `'${auth.path}' sign in by email, and two of them could have the same one`,
    fix: 'email: email().unique()',
  }
}

/** Checks what else the config requires of the auth repository. */
export function checkUserColumns(
  auth: EntityDraft | null,
  userModel: UserModel | null,
): readonly Omit<Finding, 'at'>[] {
  if (auth === null || userModel === null) return []
  const verified = auth.fields.find(({ name }) => name === 'email_verified_at')
  const isStored = verified?.kind === 'dateTime' && verified.nullable && verified.readonly
  const known = auth.relations.map(({ key }) => key)
  const unknown = userModel.userWith?.filter((name) => !known.includes(name)) ?? []
  return [
    ...(userModel.verifyEmail === true && !isStored ? [unverifiable(auth)] : []),
    ...unknown.map((name) => ({
      rule: 'user-with',
      message: `auth.user_with names '${name}', and '${auth.path}' has no such relation`,
      known,
      fix: `user_with: ['${nearest(name, known) ?? known[0] ?? ''}']`,
    })),
  ]
}

const unverifiable = ({ path }: EntityDraft) => ({
  rule: 'user-verified-at',
  message: `auth.verify_email is true, and '${path}' cannot remember that an address was verified`,
  fix: `in the fields of '${path}': email_verified_at: dateTime().nullable().readonly()`,
})
