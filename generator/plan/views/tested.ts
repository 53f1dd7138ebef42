import type { Entity } from '../../blueprint/types.js'
import { clientMember } from '../../migrations/schema/names.js'
import { member, property } from '../../source/literal.js'
import { entityLines, type Project } from '../project.js'
import type { EntitySlots, Slots } from '../render/slots.js'
import { isRequired } from './fields/sample.js'
import { isShown, matchLine } from './repository.js'
import { testedEntities } from './tested-entities.js'

export interface TestedView {
  /** Row type of the signed-in user, or null. */
  readonly user: string | null
  /** The type of a user's row; null where there is no auth repository. */
  readonly rowOfUser: string
  readonly factories: readonly string[]
  readonly repositories: readonly RepositoryFacts[]
  readonly slots: Slots
}

interface RepositoryFacts {
  readonly key: string
  readonly name: string
  readonly isPublic: boolean
  /** The code of the repository: `served.posts`. */
  readonly repository: string
  /** Its model in Prisma's client. */
  readonly model: string
  /** A function that makes rows to try things with. */
  readonly rows: string
  readonly attributes: readonly string[]
  readonly writes: readonly string[]
  readonly required: readonly string[]
  readonly related: readonly string[]
  readonly sort: readonly string[]
  readonly match: readonly string[]
  readonly slots: EntitySlots
}

export function testedView(project: Project): TestedView {
  return {
    user: project.auth?.name ?? null,
    rowOfUser: rowOfUser(project),
    factories: testedEntities(project)
      .map(({ name }) => `make${name}`)
      .toSorted(),
    repositories: testedEntities(project).map((entity) => factsOf(entity, project)),
    slots: project.slots,
  }
}

export const rowOfUser = ({ auth }: Project): string => auth?.name ?? 'never'

function factsOf(entity: Entity, project: Project): RepositoryFacts {
  return {
    key: entity.key,
    name: entity.name,
    repository: member('served', entity.key),
    model: clientMember(entity.name),
    isPublic: entity.isPublic,
    rows: rowsOf(entity, project),
    attributes: entity.columns.filter(isShown).map(({ name }) => name),
    writes: entity.columns.filter(({ readonly }) => !readonly).map(({ name }) => name),
    required: entity.columns.filter((c) => isRequired(c) && !c.readonly).map(({ name }) => name),
    related: [
      ...entity.relations,
      ...(entity.morphs ?? []),
      ...entity.computed,
      ...entity.members,
    ].map(({ key }) => key),
    sort: entity.sort,
    match: entity.match.map((each) => matchLine(entity, each)),
    slots: entityLines(entity, project),
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
