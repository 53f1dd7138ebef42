import { idsName } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { Directive, GraphqlFeature, MemberView, Scope } from '../graphql/schema-scope.js'
import { memberName } from '../graphql/settings.js'
import { listedChildren } from './facts.js'

export const childListsInGraphql: GraphqlFeature = {
  part: () => ({
    shown: (entity, scope) => idLists(entity, scope).map((list) => member(list, '[String!]')),
    written: (entity, scope) =>
      idLists(entity, scope)
        .filter((list) => list.isWritable)
        .map((list) => member(list, '[ID!]')),
    directives: [ids],
  }),
  endpoint: (project) =>
    hasIdLists(project)
      ? {
          imports: [{ from: '#runtime/features/child-lists/graphql.js', names: ['readIdLists'] }],
          lines: ['readInput: readIdLists,'],
        }
      : null,
}

const ids: Directive = {
  name: 'ids',
  description: 'The ids of a relation.',
  text: 'directive @ids(of: String!) on FIELD_DEFINITION | INPUT_FIELD_DEFINITION',
}

const member = ({ name, key }: IdList, type: string): MemberView => ({
  text: `${name}: ${type} @ids(of: "${key}")`,
  description: null,
})

interface IdList {
  readonly name: string
  readonly key: string
  /** Requests may write the column that points back. */
  readonly isWritable: boolean
}

/** Returns true if inputs hold lists of ids of children. */
function hasIdLists(project: Project): boolean {
  const { mutations } = project.derived.graphql.settings.schema
  const known = project.entities.filter(({ key }) => project.derived.graphql.types.has(key))
  return (
    mutations &&
    known.some((entity) => idLists(entity, { project }).some((list) => list.isWritable))
  )
}

/** To-many relations that the manifest, or the config, lists as fields too. */
function idLists(entity: Entity, { project }: Pick<Scope, 'project'>): readonly IdList[] {
  const asked = project.derived.graphql.settings.schema.ids[entity.key] ?? []
  const children = [...listedChildren(entity), ...asked]
  const listed = entity.relations.filter(
    ({ key, kind }) => kind === 'hasMany' && children.includes(key),
  )
  return listed.map(({ key, target, foreignKey }) => {
    const column = project.entity(target).columns.find(({ name }) => name === foreignKey)
    return {
      key,
      name: idsName(memberName(key)),
      isWritable: column?.readonly === false,
    }
  })
}
