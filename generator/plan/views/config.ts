import type { Project } from '../project.js'

export interface ConfigView {
  /** URI key of the repository whose rows sign in, or null. */
  readonly user_model: string | null
}

export function configView({ auth }: Project): ConfigView {
  return { user_model: auth?.key ?? null }
}
