import { property } from '../../source/literal.js'
import type { Project } from '../project.js'

export interface RepositoriesView {
  readonly repositories: readonly { readonly name: string; readonly property: string }[]
}

export function repositoriesView({ entities }: Project): RepositoriesView {
  return { repositories: entities.map(({ name, key }) => ({ name, property: property(key) })) }
}
