import type { Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import { changedMembers, inputName, isWritable } from '../graphql/schema-inputs.js'
import {
  type GraphqlFeature,
  input,
  type MemberView,
  nameOf,
  type Scope,
  type TypeView,
} from '../graphql/schema-scope.js'
import { bulkFact } from './check.js'

/** `createPostList`, `updatePostList` and `deletePostList`, beside the list `postList`. */
export const bulkInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    return {
      mutations: (entity, scope) => mutationsOf(entity, names.get(entity.key), scope),
      types: (scope) =>
        project.entities.flatMap((entity) => typesOf(entity, names.get(entity.key), scope)),
    }
  },
  resolver: (entity, project) => resolverOf(entity, project),
}

/** Names of a repository's inputs. */
interface Names {
  /** The input of a change, with the id. */
  readonly change: string
  /** A record by its id and what it says besides. */
  readonly key: string
}

function namesOf(project: Project, free: FreeName): ReadonlyMap<string, Names> {
  return new Map(
    project.entities.flatMap((entity) => {
      const type = project.derived.graphql.types.get(entity.key)
      if (type === undefined || bulkFact.of(entity, project) === null) return []
      return [[entity.key, { change: free(`${type}ListInput`), key: free(`${type}ListKey`) }]]
    }),
  )
}

function mutationsOf(
  entity: Entity,
  names: Names | undefined,
  scope: Scope,
): readonly MemberView[] {
  if (names === undefined) return []
  const type = nameOf(entity, scope)
  const member = (text: string, method: string): MemberView => ({
    text: `${text} @field(resolver: "${type}Resolver@${method}")`,
    description: null,
  })
  const named = membersOf(entity, scope).length === 0 ? 'ids: [ID!]!' : `input: [${names.key}!]!`
  const create = `create${type}List(input: [${inputName(entity, 'store', scope)}!]!): [${type}!]!`
  const update = `update${type}List(input: [${names.change}!]!): [${type}!]!`
  return [
    ...(isWritable(entity, 'store', scope) ? [member(create, 'createList')] : []),
    ...(isWritable(entity, 'patch', scope) ? [member(update, 'updateList')] : []),
    member(`delete${type}List(${named}): Boolean!`, 'deleteList'),
  ]
}

function typesOf(entity: Entity, names: Names | undefined, scope: Scope): readonly TypeView[] {
  if (names === undefined) return []
  const fields = changedMembers(entity, scope)
  const own = ['id: ID!', ...membersOf(entity, scope)].map((text) => ({ text, description: null }))
  const others = fields.filter(({ text }) => !text.startsWith('id:'))
  return [input(names.change, [...own, ...others]), input(names.key, own)]
}

/** Lists the members of each record besides its fields. */
const membersOf = (entity: Entity, scope: Scope): readonly string[] =>
  scope.parts.flatMap(({ inRows }) => inRows?.(entity, scope) ?? [])

function resolverOf(entity: Entity, project: Surroundings) {
  const said = bulkFact.of(entity, project)
  if (said === null || !project.derived.graphql.settings.schema.mutations) return null
  const options = said.max === null ? '' : `, { max: ${said.max} }`
  return {
    imports: [{ from: '#runtime/features/bulk/graphql.js', names: ['bulkResolver'] }],
    lines: [
      `...bulkResolver(${entity.name}Repository${options}), // createList, updateList, deleteList`,
    ],
  }
}
