import type { Entity } from '../../blueprint/types.js'
import { type Project, understoodIn } from '../project.js'
import type { Slots } from '../render/slots.js'
import { relationsOfUser } from './fields/user-relations.js'
import { understoodText } from './resources.js'

export interface AuthView {
  /** Row type of the signed-in user; null: there is no auth repository, and the rest is empty. */
  readonly user: string | null
  /** Keys of the relations loaded with the user. */
  readonly relations: readonly string[]
  /** Repositories, and relations as `posts/comments`, that may be read without a token. */
  readonly publicReads: readonly string[]
  /** Tokens of an outside issuer are taken too. */
  readonly hasJwt: boolean
  /** Headers that a change of the profile understands, as objects. */
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
      ...publicRelations(entities),
      ...project.features.flatMap(({ publicReads }) => publicReads?.(project) ?? []),
    ],
    slots: project.slots,
    understood: understoodIn(project)
      .filter(({ isOfProfile }) => isOfProfile?.(project) === true)
      .map(understoodText),
    hasJwt: auth !== null && facts.signIn?.hasJwt === true,
  }
}

/** Lists relations and morphs of public repositories that lead to public repositories alone. */
function publicRelations(entities: readonly Entity[]): readonly string[] {
  const publicKeys = new Set(entities.filter(({ isPublic }) => isPublic).map(({ key }) => key))
  return entities
    .filter(({ key }) => publicKeys.has(key))
    .flatMap(({ key, relations, morphs = [] }) => [
      ...relations
        .filter(({ target }) => publicKeys.has(target))
        .map((each) => `${key}/${each.key}`),
      ...morphs
        .filter(({ targets }) => targets.every((target) => publicKeys.has(target)))
        .map((each) => `${key}/${each.key}`),
    ])
}
