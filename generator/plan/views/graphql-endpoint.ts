import { hasPivots } from '../graphql/pivot-types.js'
import { hasIdLists } from '../graphql/schema-inputs.js'
import { literal } from '../literal.js'
import type { Project } from '../project.js'
import { isLarge } from './large.js'

export interface GraphqlEndpointView {
  readonly schema: string
  readonly records: readonly RecordView[]
  readonly hasResolvers: boolean
  /** Inputs hold lists of ids of children. */
  readonly hasIdLists: boolean
  /** Many-to-many relations are written, or shown with their pivots. */
  readonly hasPivots: boolean
  /** In development the schema is made when it is asked for: it takes most of the start. */
  readonly isLarge: boolean
}

interface RecordView {
  /** Of the repository. */
  readonly name: string
  /** Of the GraphQL type. */
  readonly type: string
}

export function graphqlEndpointView(project: Project): GraphqlEndpointView {
  const { path, schema_file, resolvers } = project.graphql.settings.output
  const types = project.graphqlTypes
  const records = project.entities.flatMap(({ key, name }) => {
    const type = types.get(key)
    return type === undefined ? [] : [{ name, type }]
  })
  return {
    schema: literal(`${path}/${schema_file}`),
    records: records.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    hasResolvers: resolvers,
    hasIdLists: hasIdLists(project),
    isLarge: isLarge(project),
    hasPivots: project.entities.some(
      (entity) => types.has(entity.key) && hasPivots(entity, project),
    ),
  }
}
