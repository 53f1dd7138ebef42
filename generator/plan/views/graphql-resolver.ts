import type { Entity } from '../../blueprint/types.js'
import { hasPivots } from '../graphql/pivot-types.js'
import type { Surroundings } from '../project.js'

export interface GraphqlResolverView {
  readonly source: string
  readonly name: string
  /** Of its GraphQL type. */
  readonly type: string
  readonly plural: string
  /** It has many-to-many relations that mutations write. */
  readonly hasPivots: boolean
}

export function graphqlResolverView(entity: Entity, project: Surroundings): GraphqlResolverView {
  return {
    source: entity.source,
    name: entity.name,
    type: project.graphqlTypes.get(entity.key) ?? entity.name,
    plural: entity.plural,
    hasPivots: project.graphql.settings.schema.mutations && hasPivots(entity, project),
  }
}
