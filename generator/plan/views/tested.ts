import type { Entity } from '../../blueprint/types.js'
import { property } from '../literal.js'
import type { Project } from '../project.js'
import { isShown } from './repository.js'
import { isRequired } from './sample.js'
import { testedEntities } from './tested-entities.js'

export interface TestedView {
  /** Row type of the signed-in user, or null. */
  readonly user: string | null
  readonly factories: readonly string[]
  readonly repositories: readonly RepositoryFacts[]
}

interface RepositoryFacts {
  readonly key: string
  readonly isPublic: boolean
  /** A function that makes rows to try things with. */
  readonly rows: string
  readonly attributes: readonly string[]
  readonly required: readonly string[]
  readonly related: readonly string[]
}

export function testedView(project: Project): TestedView {
  return {
    user: project.auth?.name ?? null,
    factories: testedEntities(project)
      .map(({ name }) => `make${name}`)
      .toSorted(),
    repositories: testedEntities(project).map((entity) => factsOf(entity, project)),
  }
}

function factsOf(entity: Entity, project: Project): RepositoryFacts {
  return {
    key: entity.key,
    isPublic: entity.isPublic,
    rows: rowsOf(entity, project),
    attributes: entity.columns.filter(isShown).map(({ name }) => name),
    required: entity.columns.filter((c) => isRequired(c) && !c.readonly).map(({ name }) => name),
    related: [
      ...entity.relations,
      ...(entity.morphs ?? []),
      ...entity.computed,
      ...entity.members,
    ].map(({ key }) => key),
  }
}

function rowsOf(entity: Entity, { auth }: Project): string {
  const make = `make${entity.name}`
  if (auth === null) return `async () => [await ${make}()]`
  if (entity.key === auth.key) return `async (user) => [await ${make}(), user]`
  const owner = entity.columns.find(({ references }) => references?.entity === auth.key)
  if (owner === undefined) return `async () => [await ${make}()]`
  return `async (user) => [await ${make}(), await ${make}({ ${property(owner.name)}: user.id })]`
}
