import type { Project } from '../project.js'

export interface ServerView {
  readonly hasAuth: boolean
  readonly hasTracing: boolean
  readonly hasReplicas: boolean
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
  const hasReplicas = blueprint.readReplicas === true
  return {
    hasAuth,
    hasTracing,
    hasReplicas,
    closesMore: hasAuth || hasTracing || hasReplicas,
    folded: isFolding.map(({ name }) => `${name}Repository`),
  }
}
