import { type Project, understoodIn } from '../project.js'
import type { Slots } from '../slots.js'
import { understoodText } from './resources.js'
import { relationsOfUser } from './user-relations.js'

export interface AuthView {
  /** Row type of the signed-in user; null: there is no auth repository, and the rest is empty. */
  readonly user: string | null
  /** Keys of the relations loaded with the user. */
  readonly relations: readonly string[]
  /** What paths begin with that may be read without a token. */
  readonly publicReads: readonly string[]
  /** Tokens of an outside issuer are taken too. */
  readonly hasJwt: boolean
  /** What a change of the profile understands, as objects. */
  readonly understood: readonly string[]
  readonly slots: Slots
}

export function authView(project: Project): AuthView {
  const { auth, entities, facts } = project
  return {
    user: auth?.name ?? null,
    relations: relationsOfUser(project).map(({ key }) => key),
    publicReads: [
      ...entities.filter(({ isPublic }) => isPublic).map(({ key }) => key),
      ...project.features.flatMap(({ publicReads }) => publicReads?.(project) ?? []),
    ],
    slots: project.slots,
    understood: understoodIn(project)
      .filter(({ isOfProfile }) => isOfProfile?.(project) === true)
      .map(understoodText),
    hasJwt: auth !== null && facts.signIn?.hasJwt === true,
  }
}
