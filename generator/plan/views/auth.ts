import { property } from '../literal.js'
import type { Project } from '../project.js'
import { storageOf } from './storage.js'
import { userRelations } from './user-relations.js'

export interface AuthView {
  /** Row type of the signed-in user; null: nobody signs in, and the rest is empty. */
  readonly user: string | null
  readonly table: string
  readonly columns: readonly { readonly property: string; readonly storage: string }[]
  /** Relations loaded with the user. */
  readonly relations: readonly { readonly property: string; readonly text: string }[]
  /** Keys of the repositories that may be read without a token. */
  readonly publicReads: readonly string[]
}

export function authView(project: Project): AuthView {
  const { auth, entities } = project
  const columns = auth?.columns.filter(({ kind }) => kind !== 'password') ?? []
  return {
    user: auth?.name ?? null,
    table: auth?.table ?? '',
    columns: columns.map((column) => ({
      property: property(column.name),
      storage: storageOf(column),
    })),
    relations: userRelations(project),
    publicReads: entities.filter(({ isPublic }) => isPublic).map(({ key }) => key),
  }
}
