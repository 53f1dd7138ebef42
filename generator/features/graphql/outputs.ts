import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Output } from '../../plan/render/output.js'
import { graphqlConfigView } from './views/config.js'
import { graphqlEndpointView } from './views/endpoint.js'
import { graphqlResolverView } from './views/resolver.js'
import { graphqlRoutesView } from './views/routes.js'
import { graphqlSchemaView } from './views/schema.js'

type Asked = Pick<Surroundings, 'derived'>

const folderOf = ({ derived }: Asked) => derived.graphql.settings.output.path

export const graphqlOutputs: readonly Output[] = [
  {
    of: 'project',
    path: 'app/GraphQL/schema.graphql',
    owner: 'svc',
    view: graphqlSchemaView,
    at: (project) => `${folderOf(project)}/${project.derived.graphql.settings.output.schema_file}`,
  },
  {
    of: 'project',
    path: 'app/GraphQL/endpoint.ts',
    owner: 'svc',
    view: graphqlEndpointView,
    at: (project) => `${folderOf(project)}/endpoint.ts`,
  },
  {
    of: 'entity',
    path: 'app/GraphQL/Resolvers/NameResolver.ts',
    owner: 'svc',
    view: graphqlResolverView,
    when: hasResolver,
    at: ({ key }, project) =>
      `${folderOf(project)}/Resolvers/${project.derived.graphql.types.get(key) ?? ''}Resolver.ts`,
  },
  { of: 'project', path: 'routes/graphql.ts', owner: 'shared', view: graphqlRoutesView },
]

function hasResolver({ key }: Entity, { derived }: Asked): boolean {
  const { settings, types } = derived.graphql
  return settings.output.resolvers && types.has(key)
}

/** The file that switches it on and off. */
export const graphqlConfig: Output = {
  of: 'project',
  path: 'config/svc-graphql.ts',
  owner: 'shared',
  view: graphqlConfigView,
}
