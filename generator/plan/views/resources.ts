import type { Project } from '../project.js'

export interface ResourcesView {
  readonly entities: readonly { readonly name: string; readonly key: string }[]
}

export function resourcesView(project: Project): ResourcesView {
  return { entities: project.entities.map(({ name, key }) => ({ name, key })) }
}
