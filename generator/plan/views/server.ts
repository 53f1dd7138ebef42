import type { Project } from '../project.js'

export interface ServerView {
  readonly hasAuth: boolean
  readonly hasTracing: boolean
  /** More than the database is closed at the end. */
  readonly closesMore: boolean
  /** The repositories with folded fields: `PostRepository`. */
  readonly folded: readonly string[]
}

export function serverView({ auth, blueprint, entities }: Project): ServerView {
  const isFolding = entities.filter(({ columns }) =>
    columns.some(({ folded }) => folded !== undefined),
  )
  const hasAuth = auth !== null
  const hasTracing = blueprint.tracing === true
  return {
    hasAuth,
    hasTracing,
    closesMore: hasAuth || hasTracing,
    folded: isFolding.map(({ name }) => `${name}Repository`),
  }
}
