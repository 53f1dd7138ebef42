import { kindOf } from '../../kinds/kinds.js'
import { literal } from '../../source/literal.js'
import type { Project } from '../project.js'
import type { Slots } from '../render/slots.js'

export interface ConfigView {
  /** True if people sign in. */
  readonly has_guard: boolean
  /**
   * True if the settings of signing in are there. They stay when the owner makes the user model
   * null.
   */
  readonly says_sign_in: boolean
  /** URI key of the repository whose rows sign in, as it is written: `'users'` or `null`. */
  readonly user_model: string
  /** Fields of registering besides e-mail and password: `name`, and those that a new user needs. */
  readonly register_fields: readonly string[]
  readonly slots: Slots
}

export function configView(project: Project): ConfigView {
  const { auth, facts, slots } = project
  const fields = auth?.columns.filter((column) => {
    const { name, role, readonly, nullable, default: preset, kind } = column
    if (role !== 'field' || readonly) return false
    const isOptional = nullable || preset !== undefined || kindOf(kind).isSwitch
    return name === 'name' || !isOptional
  })
  const names = fields?.map(({ name }) => name) ?? []
  return {
    has_guard: auth !== null,
    says_sign_in: auth !== null || facts.signIn?.saysSignIn === true,
    user_model: auth === null ? 'null' : literal(auth.key),
    register_fields: names.filter((name) => name !== 'email' && name !== 'password'),
    slots,
  }
}
