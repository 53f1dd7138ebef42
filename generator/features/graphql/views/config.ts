import type { Project } from '../../../plan/project.js'

export interface GraphqlConfigView {
  readonly path: string
  readonly schemaFile: string
  readonly hasResolvers: boolean
}

export function graphqlConfigView({ derived }: Project): GraphqlConfigView {
  const { path, schema_file, resolvers } = derived.graphql.settings.output
  return { path, schemaFile: schema_file, hasResolvers: resolvers }
}
