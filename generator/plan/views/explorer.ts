import type { Project } from '../project.js'

export interface ExplorerView {
  readonly hasAuth: boolean
  /** Of the repositories, in the order of the manifest. */
  readonly names: readonly string[]
}

export function explorerView({ auth, entities }: Project): ExplorerView {
  return { hasAuth: auth !== null, names: entities.map(({ name }) => name) }
}
