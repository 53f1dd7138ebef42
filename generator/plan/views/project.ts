import type { Project } from '../project.js'

/** For files that are nearly the same in every project. */
export interface ProjectView {
  readonly name: string
  readonly isSqlite: boolean
  readonly hasAuth: boolean
}

export function projectView(project: Project): ProjectView {
  return { name: project.name, isSqlite: project.isSqlite, hasAuth: project.auth !== null }
}
