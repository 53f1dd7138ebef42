import type { Project } from '../project.js'

/** For files that are nearly the same in every project. */
export interface ProjectView {
  readonly name: string
  readonly isSqlite: boolean
  readonly hasAuth: boolean
  /** package.json asks for svckit by a path, as long as it is not published. */
  readonly isSvckitLocal: boolean
}

export function projectView(project: Project): ProjectView {
  const { name, isSqlite, auth, svckit } = project
  return { name, isSqlite, hasAuth: auth !== null, isSvckitLocal: svckit.startsWith('file:') }
}
