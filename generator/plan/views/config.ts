import type { Project } from '../project.js'

export interface ConfigView {
  /** URI key of the repository whose rows sign in, or null. */
  readonly user_model: string | null
  /** What a new user cannot do without, besides e-mail and password. */
  readonly register_fields: readonly string[]
}

export function configView({ auth }: Project): ConfigView {
  const fields = auth?.columns.filter((column) => {
    const { role, readonly, nullable, default: preset, kind } = column
    const isGiven = nullable || preset !== undefined || readonly || role === 'id'
    return !isGiven && role === 'field' && kind !== 'boolean' && kind !== 'toggle'
  })
  const names = fields?.map(({ name }) => name) ?? []
  return {
    user_model: auth?.key ?? null,
    register_fields: names.filter((name) => name !== 'email' && name !== 'password'),
  }
}
