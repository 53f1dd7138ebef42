import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import {
  nameOf,
  type GraphqlFeature,
  type MemberView,
  type Scope,
  type TypeView,
} from '../graphql/schema-scope.js'
import { isSoft } from './routes.js'

export const trashInGraphql: GraphqlFeature = {
  part: (_, free) => {
    const trashed = free('Trashed', 'Enum')
    return {
      shownAtRoot: (entity) => (isSoft(entity) ? [`trashed: ${trashed}`] : []),
      listedAtRoot: (entity) => (isSoft(entity) ? [`trashed: ${trashed}`] : []),
      types: () => [trashedType(trashed)],
      mutations: (entity, scope) => (isSoft(entity) ? mutationsOf(entity, scope) : []),
    }
  },
  resolver: (entity, project) => (isSoft(entity) ? resolverOf(entity, project) : null),
}

const trashedType = (name: string): TypeView => ({
  kind: 'enum',
  name,
  description: null,
  members: ['only', 'with'].map((text) => ({ text, description: null })),
})

function mutationsOf(entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  const more = scope.parts.flatMap(({ changed }) => changed?.(entity, scope, 'other') ?? [])
  const given = ['id: ID!', ...more].join(', ')
  return [
    [`restore${type}(${given}): ${type}`, 'restore'],
    [`forceDelete${type}(${given}): Boolean!`, 'forceDelete'],
  ].map(([text, method]) => ({
    text: `${text} @field(resolver: "${type}Resolver@${method}")`,
    description: null,
  }))
}

function resolverOf(entity: Entity, project: Surroundings) {
  const { mutations } = project.derived.graphql.settings.schema
  const [resolver, does] = mutations
    ? ['trashResolver', 'lists with a trash, restore and forceDelete']
    : ['trashReader', 'lists with a trash']
  return {
    imports: [{ from: '#runtime/features/soft-deletes/graphql.js', names: [resolver] }],
    lines: [`...${resolver}(${entity.name}Repository), // ${does}`],
  }
}
