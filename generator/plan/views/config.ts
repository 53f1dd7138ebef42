import { literal } from '../literal.js'
import type { Project } from '../project.js'

export interface ConfigView {
  /** Whether people sign in. */
  readonly has_guard: boolean
  /** A config that had all there is to say of it keeps that when its developer makes the user model null. */
  readonly says_sign_in: boolean
  /** URI key of the repository whose rows sign in, as it is written: `'users'` or `null`. */
  readonly user_model: string
  /** What a new user cannot do without, besides e-mail and password. */
  readonly register_fields: readonly string[]
}

export function configView({ auth, saysSignIn = false }: Project): ConfigView {
  const fields = auth?.columns.filter((column) => {
    const { role, readonly, nullable, default: preset, kind } = column
    const isGiven = nullable || preset !== undefined || readonly || role === 'id'
    return !isGiven && role === 'field' && kind !== 'boolean' && kind !== 'toggle'
  })
  const names = fields?.map(({ name }) => name) ?? []
  return {
    has_guard: auth !== null,
    says_sign_in: auth !== null || saysSignIn,
    user_model: auth === null ? 'null' : literal(auth.key),
    register_fields: names.filter((name) => name !== 'email' && name !== 'password'),
  }
}
