import type { Project } from '../project.js'
import { relationsOfUser } from './user-relations.js'

export interface AuthView {
  /** Row type of the signed-in user; null: there is no auth repository, and the rest is empty. */
  readonly user: string | null
  /** Keys of the relations loaded with the user. */
  readonly relations: readonly string[]
  /** Keys of the repositories that may be read without a token. */
  readonly publicReads: readonly string[]
  /** A token is read with how far replicas must be for its user. */
  readonly hasReplicas: boolean
  /** Tokens of an outside issuer are taken too. */
  readonly hasJwt: boolean
}

export function authView(project: Project): AuthView {
  const { auth, entities, blueprint, hasJwt = false } = project
  return {
    user: auth?.name ?? null,
    relations: relationsOfUser(project).map(({ key }) => key),
    publicReads: entities.filter(({ isPublic }) => isPublic).map(({ key }) => key),
    hasReplicas: auth !== null && blueprint.readReplicas === true,
    hasJwt: auth !== null && hasJwt,
  }
}
