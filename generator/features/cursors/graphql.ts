import type { Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import { lowerFirst } from '../graphql/names.js'
import { narrowingOf, sortingOf } from '../graphql/schema-roots.js'
import {
  type GraphqlFeature,
  type MemberView,
  nameOf,
  type Scope,
  type TypeView,
} from '../graphql/schema-scope.js'
import { hasRead } from '../reads/feature.js'

/** `postPage(after: …)`, beside the list `postList`. */
export const cursorsInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    return {
      queries: (entity, scope) => pageQuery(entity, names.get(entity.key), scope),
      types: (scope) =>
        project.entities.flatMap((entity) => pageType(entity, names.get(entity.key), scope)),
    }
  },
  resolver: (entity, project) => resolverOf(entity, project),
}

/** Names the page types of each repository. */
function namesOf(project: Project, free: FreeName): ReadonlyMap<string, string> {
  return new Map(
    project.entities.flatMap((entity) => {
      const type = project.derived.graphql.types.get(entity.key)
      return type === undefined || !hasRead(entity, project, 'cursors')
        ? []
        : [[entity.key, free(`${type}Page`)]]
    }),
  )
}

function pageQuery(entity: Entity, name: string | undefined, scope: Scope): readonly MemberView[] {
  if (name === undefined) return []
  const type = nameOf(entity, scope)
  const { first, relations } = scope.project.derived.graphql.settings.schema
  const narrowing = [
    ...(relations ? narrowingOf(entity, type, scope) : []),
    ...scope.parts.flatMap(({ listedAtRoot }) => listedAtRoot?.(entity, scope) ?? []),
  ]
  const list = [
    `first: Int = ${first}`,
    ...['after: String', 'before: String'],
    ...narrowing,
    ...(relations ? sortingOf(entity) : []),
  ]
  const field = `${lowerFirst(type)}Page(${list.join(', ')}): ${name}!`
  return [{ text: `${field} @field(resolver: "${type}Resolver@page")`, description: null }]
}

function pageType(entity: Entity, name: string | undefined, scope: Scope): readonly TypeView[] {
  if (name === undefined) return []
  const members = [
    `data: [${nameOf(entity, scope)}!]!`,
    ...['nextCursor: String', 'prevCursor: String', 'total: Int!'],
  ]
  return [
    {
      ...{ kind: 'type', name, description: null },
      members: members.map((text) => ({ text, description: null })),
    },
  ]
}

const resolverOf = (entity: Entity, project: Surroundings) =>
  hasRead(entity, project, 'cursors')
    ? {
        imports: [{ from: '#runtime/features/cursors/graphql.js', names: ['pageResolver'] }],
        lines: [`...pageResolver(${entity.name}Repository), // page`],
      }
    : null
