import { studly } from '../../blueprint/names/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import { columnMembers, inputColumns } from '../graphql/schema-inputs.js'
import {
  type GraphqlFeature,
  input,
  isClosed,
  type MemberView,
  type Scope,
} from '../graphql/schema-scope.js'
import { isChildColumn, isOne, writableOf } from './written.js'

/** `createPost(input: { title, comments: [{ body }] })`. */
export const childrenInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    const inputs = (entity: Entity, scope: Scope) =>
      writableOf(entity, project).flatMap((relation) => {
        const name = names.get(relation)
        const members = name === undefined ? [] : membersOf(entity, relation, scope)
        return name === undefined || members.length === 0 ? [] : [{ name, members, relation }]
      })
    return {
      written: (entity, scope, writes) =>
        writes.includes('store')
          ? inputs(entity, scope).map(({ name, relation }) => ({
              text: `${relation.key}: ${isOne(relation) ? name : `[${name}!]`}`,
              description: null,
            }))
          : [],
      types: (scope) =>
        project.entities.flatMap((entity) =>
          inputs(entity, scope).map(({ name, members }) => input(name, members)),
        ),
    }
  },
}

/** Names the inputs of children, by their relations. */
function namesOf(project: Project, free: FreeName): ReadonlyMap<Relation, string> {
  const { types } = project.derived.graphql
  return new Map(
    project.entities.flatMap((entity) => {
      const type = types.get(entity.key)
      if (type === undefined) return []
      return writableOf(entity, project)
        .filter(({ target }) => types.has(target))
        .map((relation) => [relation, free(`${type}${studly(relation.key)}Input`)] as const)
    }),
  )
}

function membersOf(entity: Entity, relation: Relation, scope: Scope): readonly MemberView[] {
  if (isClosed(entity, relation.key, 'shown', scope)) return []
  const target = scope.project.entity(relation.target)
  const { columns, required } = inputColumns(target, 'store', scope)
  const own = columns.filter(isChildColumn(relation))
  return columnMembers(target, { columns: own, required }, scope)
}
