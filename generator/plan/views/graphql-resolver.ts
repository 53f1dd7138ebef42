import { posix } from 'node:path'
import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../project.js'

export interface GraphqlResolverView {
  readonly source: string
  readonly name: string
  /** Of its GraphQL type. */
  readonly type: string
  readonly plural: string
  /** From its folder to the root of the project: `../../..`. */
  readonly up: string
  /** From its folder to app/. */
  readonly app: string
}

export function graphqlResolverView(entity: Entity, project: Project): GraphqlResolverView {
  const { path } = project.graphql.settings.output
  return {
    source: entity.source,
    name: entity.name,
    type: project.graphqlTypes.get(entity.key) ?? entity.name,
    plural: entity.plural,
    up: posix.relative(`${path}/Resolvers`, '.'),
    app: posix.relative(`${path}/Resolvers`, 'app'),
  }
}
