import type { Project } from '../project.js'

export interface GraphqlConfigView {
  readonly path: string
  readonly schemaFile: string
  readonly hasResolvers: boolean
}

export function graphqlConfigView({ graphql }: Project): GraphqlConfigView {
  const { path, schema_file, resolvers } = graphql.settings.output
  return { path, schemaFile: schema_file, hasResolvers: resolvers }
}
