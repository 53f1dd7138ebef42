import type { Draft } from './draft.js'
import { nearest, type Finding } from './problems.js'

/** What `config/svc.ts` says about sign-in: a URI key, or null for nobody. */
export interface UserModel {
  readonly name: string | null
}

const USUAL = 'users'

/**
 * The repository whose rows sign in.
 *
 *     config names one            that one; it must exist, with email and password
 *     config names users, or      users, when the manifest has it with email and password; else nobody signs in
 *       there is no config
 *     config says null            nobody
 */
export function findAuth(drafts: readonly Draft[], userModel: UserModel | null): Draft | null {
  const wanted = userModel === null ? USUAL : userModel.name
  const found = drafts.find(({ key }) => key === wanted)
  return found !== undefined && lacking(found).length === 0 ? found : null
}

function lacking({ fields }: Draft): readonly string[] {
  return ['email', 'password'].filter(
    (kind) => !fields.some((field) => field.name === kind && field.kind === kind),
  )
}

/** What is wrong with the configured repository; `users` need not be there. */
export function checkAuth(
  drafts: readonly Draft[],
  userModel: UserModel | null,
): Omit<Finding, 'at'> | null {
  const name = userModel?.name ?? USUAL
  if (name === USUAL) return null
  const found = drafts.find(({ key }) => key === name)
  const known = drafts.map(({ key }) => key).toSorted()
  if (found === undefined) {
    return {
      rule: 'user-model',
      message: `auth.user_model is '${name}', and there is no such repository`,
      known,
      fix: `user_model: '${nearest(name, known) ?? USUAL}'`,
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
