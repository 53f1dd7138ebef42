import type { Project } from '../project.js'

export interface ServerView {
  readonly hasAuth: boolean
  /** The repositories with folded fields: `PostRepository`. */
  readonly folded: readonly string[]
}

export function serverView({ auth, entities }: Project): ServerView {
  const isFolding = entities.filter(({ columns }) =>
    columns.some(({ folded }) => folded !== undefined),
  )
  return { hasAuth: auth !== null, folded: isFolding.map(({ name }) => `${name}Repository`) }
}
