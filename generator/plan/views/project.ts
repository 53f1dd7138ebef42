import type { Project } from '../project.js'
import { specifierOf } from '../specifiers.js'
import { isLarge } from './large.js'

/** For files that are nearly the same in every project. */
export interface ProjectView {
  readonly name: string
  readonly isSqlite: boolean
  readonly hasAuth: boolean
  /** package.json asks for svckit by a path, as long as it is not published. */
  readonly isSvckitLocal: boolean
  readonly hasGraphql: boolean
  readonly hasOpenapi: boolean
  readonly hasRequestLimit: boolean
  /** It must know which proxies to believe, and nothing else says so. */
  readonly hasOwnProxies: boolean
  readonly hasMetrics: boolean
  readonly hasTracing: boolean
  readonly hasReplicas: boolean
  /** So many that routes and the GraphQL schema are looked up and made in another way. */
  readonly isLarge: boolean
  /** The folder of the GraphQL schema, and the endpoint as routes/ imports it. */
  readonly graphqlFolder: string
  readonly graphqlImport: string
  /** The config asks for them. */
  readonly hasStrictQueries: boolean
}

export function projectView(project: Project): ProjectView {
  const { name, isSqlite, auth, svckit, graphql, blueprint, hasStrictQueries = false } = project
  const { enabled, output } = graphql.settings
  return {
    name,
    isSqlite,
    hasAuth: auth !== null,
    isSvckitLocal: svckit.startsWith('file:'),
    hasGraphql: enabled,
    hasOpenapi: blueprint.openapi === true,
    hasRequestLimit: blueprint.requestLimit === true,
    hasOwnProxies: blueprint.requestLimit === true && auth === null,
    hasMetrics: blueprint.metrics === true,
    hasTracing: blueprint.tracing === true,
    hasReplicas: blueprint.readReplicas === true,
    isLarge: isLarge(project),
    hasStrictQueries,
    graphqlFolder: output.path,
    graphqlImport: specifierOf(`${output.path}/endpoint.ts`, 'routes/graphql.ts'),
  }
}
