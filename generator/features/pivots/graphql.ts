import type { Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import {
  describeColumn,
  input,
  isClosed,
  nameOf,
  typeOf,
  type Directive,
  type GraphqlFeature,
  type MemberView,
  type Scope,
  type TypeView,
} from '../graphql/schema-scope.js'
import {
  edgesName,
  hasPivots,
  pivotTypesOf,
  shownFields,
  writtenFields,
  type PivotTypes,
} from './graphql-names.js'

export const pivotsInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = pivotTypesOf(project, free)
    const { relations } = project.derived.graphql.settings.schema
    return {
      besideList: (entity, relation, given) => edgeMember(names, entity, relation, given),
      mutations: (entity, scope) => (relations ? mutationsOf(names, entity, scope) : []),
      types: (scope) => [
        ...project.entities.flatMap((entity) => edgeTypes(names, entity, scope)),
        ...tableTypes(names, scope),
      ],
      directives: [edges],
    }
  },
  endpoint: (project) => {
    const { types } = project.derived.graphql
    const isThere = (entity: Entity) => types.has(entity.key) && hasPivots(entity, project)
    if (!project.entities.some(isThere)) return null
    return {
      imports: [{ from: '#runtime/features/pivots/graphql.js', names: ['graphqlPivots'] }],
      lines: ['pivots: graphqlPivots,'],
    }
  },
  resolver: (entity, project) => resolverOf(entity, project),
}

const edges: Directive = {
  name: 'edges',
  description: 'The records of a relation, each with what its pivot row holds.',
  text: 'directive @edges(of: String!) on FIELD_DEFINITION',
}

function resolverOf(entity: Entity, project: Surroundings) {
  const { mutations } = project.derived.graphql.settings.schema
  if (!mutations || !hasPivots(entity, project)) return null
  return {
    imports: [{ from: '#runtime/features/pivots/graphql.js', names: ['pivotResolver'] }],
    lines: [`...pivotResolver(${entity.name}Repository), // attach, sync and detach`],
  }
}

/** The list of a relation, each record with its pivot. */
function edgeMember(
  names: PivotTypes,
  entity: Entity,
  { key }: Relation,
  given: string,
): readonly MemberView[] {
  const edge = names.edges.get(`${entity.key}.${key}`)
  if (edge === undefined) return []
  const text = `${edgesName(key)}(${given}): [${edge}!] @edges(of: "${key}")`
  return [{ text, description: null }]
}

/** The fields of pivot tables, as they are shown and as they are written. */
function tableTypes(names: PivotTypes, scope: Scope): readonly TypeView[] {
  return [...names.tables].flatMap(([table, { shown, written }]) => {
    const pivot = scope.project.pivot(table)
    const members = (columns: typeof pivot.fields): readonly MemberView[] =>
      columns.map((column) => ({
        text: `${column.name}: ${typeOf(table, column, 'String', scope)}`,
        description: describeColumn(table, column, scope),
      }))
    const types = [
      { kind: 'type', name: shown, description: null, members: members(shownFields(pivot)) },
      input(written, members(writtenFields(pivot))),
    ]
    return types.filter((type) => type.members.length > 0)
  })
}

/** Related records with their pivots. */
function edgeTypes(names: PivotTypes, entity: Entity, scope: Scope): readonly TypeView[] {
  return entity.relations.flatMap(({ key, target, pivot }): readonly TypeView[] => {
    const name = names.edges.get(`${entity.key}.${key}`)
    const fields = names.tables.get(pivot?.table ?? '')
    if (name === undefined || fields === undefined) return []
    const members = [`node: ${scope.names.get(target) ?? ''}!`, `pivot: ${fields.shown}!`].map(
      (text) => ({ text, description: null }),
    )
    return [{ kind: 'type', name, description: null, members }]
  })
}

/** Attach, sync and detach of each many-to-many relation; they answer the record, or null where it is not visible any more. */
function mutationsOf(names: PivotTypes, entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  return entity.relations.flatMap(({ key, pivot }) => {
    const mutations = names.mutations.get(`${entity.key}.${key}`) ?? []
    if (pivot === null || isClosed(entity, key, 'shown', scope)) return []
    const isWritable = writtenFields(scope.project.pivot(pivot.table)).length > 0
    const written = names.tables.get(pivot.table)?.written
    return mutations.map(({ operation, field, method }) => {
      const values = isWritable && operation !== 'detach' ? `, pivot: ${written}` : ''
      const text = `${field}(id: ID!, ids: [ID!]!${values}): ${type}`
      return { text: `${text} @field(resolver: "${type}Resolver@${method}")`, description: null }
    })
  })
}
