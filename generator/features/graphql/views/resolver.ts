import type { Entity } from '../../../blueprint/types.js'
import type { Surroundings } from '../../../plan/project.js'
import { importLine } from '../../../plan/render/imports.js'

export interface GraphqlResolverView {
  readonly source: string
  readonly name: string
  /** The name of its GraphQL type. */
  readonly type: string
  readonly plural: string
  /** Imports and methods of features. */
  readonly imports: readonly string[]
  readonly lines: readonly string[]
}

export function graphqlResolverView(entity: Entity, project: Surroundings): GraphqlResolverView {
  const said = resolverParts(entity, project)
  return {
    source: entity.source,
    name: entity.name,
    type: project.derived.graphql.types.get(entity.key) ?? entity.name,
    plural: entity.plural,
    imports: said.flatMap((each) => each.imports).map(importLine),
    lines: said.flatMap((each) => each.lines),
  }
}

/** Lists what features add to the resolver of a repository. */
export const resolverParts = (entity: Entity, project: Surroundings) =>
  project.features.flatMap(({ graphql }) => graphql?.resolver?.(entity, project) ?? [])
