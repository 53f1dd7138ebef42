import type { Entity } from '../blueprint/types.js'
import { authActions, notificationPaths, runningFolder } from './auth-actions.js'
import { matrixOutputs } from './matrix-outputs.js'
import type { Output, ProjectOutput } from './output.js'
import type { Project, Surroundings } from './project.js'
import { authView } from './views/auth.js'
import { configView } from './views/config.js'
import { controllerView } from './views/controller.js'
import { databaseView } from './views/database.js'
import { edgesView } from './views/edges.js'
import { explorerView } from './views/explorer.js'
import { factoriesView } from './views/factories.js'
import { graphqlConfigView } from './views/graphql-config.js'
import { graphqlEndpointView } from './views/graphql-endpoint.js'
import { graphqlResolverView } from './views/graphql-resolver.js'
import { graphqlSchemaView } from './views/graphql-schema.js'
import { hooksView } from './views/hooks.js'
import { modelsView } from './views/models.js'
import { packageView } from './views/package.js'
import { policyView } from './views/policy.js'
import { prismaView } from './views/prisma.js'
import { projectView } from './views/project.js'
import { readmeView } from './views/readme.js'
import { repositoryView } from './views/repository.js'
import { resourcesView } from './views/resources.js'
import { serverView } from './views/server.js'
import { hasTested } from './views/tested-entities.js'
import { testedView } from './views/tested.js'

/** Everything made from templates. Adding a file: a row here, its template, and a fixture that shows it. */
export const outputs: readonly Output[] = [
  { of: 'project', path: 'app/Models.ts', owner: 'svc', view: modelsView },
  { of: 'entity', path: 'app/Repositories/NameRepository.ts', owner: 'svc', view: repositoryView },
  {
    of: 'entity',
    path: 'app/Http/Controllers/NameController.ts',
    owner: 'svc',
    view: controllerView,
    isTidy: true,
  },
  ...authOutputs(),
  { of: 'project', path: 'app/Http/middleware.ts', owner: 'svc', view: authView },
  { of: 'project', path: 'app/Http/resources.ts', owner: 'svc', view: resourcesView },
  {
    of: 'entity',
    path: 'app/Policies/NamePolicy.ts',
    owner: 'you',
    view: policyView,
    isTidy: true,
    keepsLines: ({ firstPolicy }) => firstPolicy !== undefined,
  },
  { of: 'entity', path: 'app/Hooks/NameHooks.ts', owner: 'you', view: hooksView, when: hasHooks },
  {
    of: 'project',
    path: 'app/GraphQL/schema.graphql',
    owner: 'svc',
    view: graphqlSchemaView,
    when: hasGraphql,
    at: ({ graphql: { settings } }) => `${settings.output.path}/${settings.output.schema_file}`,
  },
  {
    of: 'project',
    path: 'app/GraphQL/endpoint.ts',
    owner: 'svc',
    view: graphqlEndpointView,
    when: hasGraphql,
    at: ({ graphql: { settings } }) => `${settings.output.path}/endpoint.ts`,
  },
  {
    of: 'entity',
    path: 'app/GraphQL/Resolvers/NameResolver.ts',
    owner: 'svc',
    view: graphqlResolverView,
    when: hasResolver,
    at: ({ key }, { graphql, graphqlTypes }) =>
      `${graphql.settings.output.path}/Resolvers/${graphqlTypes.get(key) ?? ''}Resolver.ts`,
  },
  {
    of: 'project',
    path: 'app/OpenApi/endpoint.ts',
    owner: 'svc',
    view: projectView,
    when: hasOpenapi,
  },
  {
    of: 'project',
    path: 'app/OpenApi/explorer.ts',
    owner: 'svc',
    view: explorerView,
    when: hasOpenapi,
  },
  { of: 'project', path: 'app/app.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/context.ts', owner: 'svc', view: authView },
  { of: 'project', path: 'app/database.ts', owner: 'svc', view: databaseView },
  { of: 'project', path: 'app/env.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/log.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/metrics.ts', owner: 'svc', view: projectView, when: hasMetrics },
  { of: 'project', path: 'app/migrate.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/prisma.ts', owner: 'svc', view: prismaView },
  { of: 'project', path: 'app/server.ts', owner: 'svc', view: serverView },
  { of: 'project', path: 'app/settings.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/replicas.ts', owner: 'svc', view: projectView, when: hasReplicas },
  { of: 'project', path: 'app/tracing.ts', owner: 'svc', view: projectView, when: hasTracing },
  { of: 'project', path: 'config/svc.ts', owner: 'shared', view: configView },
  { of: 'project', path: 'config/svc-graphql.ts', owner: 'shared', view: graphqlConfigView },
  {
    of: 'project',
    path: 'routes/graphql.ts',
    owner: 'shared',
    view: projectView,
    when: hasGraphql,
  },
  { of: 'project', path: 'routes/api.ts', owner: 'shared', view: projectView },
  ...matrixOutputs,
  { of: 'project', path: 'tests/client.ts', owner: 'svc', view: authView },
  {
    of: 'project',
    path: 'tests/contract.ts',
    owner: 'svc',
    view: projectView,
    when: hasOpenapi,
  },
  {
    of: 'project',
    path: 'tests/contract.test.ts',
    owner: 'svc',
    view: authView,
    when: hasOpenapi,
  },
  { of: 'project', path: 'tests/edges.ts', owner: 'svc', view: edgesView, when: hasTested },
  { of: 'project', path: 'tests/factories.ts', owner: 'svc', view: factoriesView },
  {
    of: 'project',
    path: 'tests/invariants.test.ts',
    owner: 'svc',
    view: authView,
    when: hasTested,
  },
  { of: 'project', path: 'tests/repositories.ts', owner: 'svc', view: testedView },
  { of: 'project', path: 'tests/setup.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'tests/values.test.ts', owner: 'svc', view: edgesView, when: hasTested },
  { of: 'project', path: 'manifest/tsconfig.json', owner: 'svc', view: projectView },
  { of: 'project', path: 'scripts/manifest-types.js', owner: 'svc', view: projectView },
  { of: 'project', path: 'scripts/prisma-client.js', owner: 'svc', view: projectView },
  { of: 'project', path: 'scripts/start.js', owner: 'svc', view: projectView },
  { of: 'project', path: 'package.json', owner: 'shared', view: packageView },
  { of: 'project', path: 'tsconfig.json', owner: 'svc', view: projectView },
  { of: 'project', path: 'tsconfig.build.json', owner: 'svc', view: projectView },
  { of: 'project', path: 'vitest.config.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'README.md', owner: 'svc', view: readmeView },
  { of: 'project', path: 'AGENTS.md', owner: 'svc', view: readmeView },
  { of: 'project', path: 'Dockerfile', owner: 'svc', view: projectView },
  { of: 'project', path: 'compose.yaml', owner: 'svc', view: projectView },
  { of: 'project', path: '.env.example', owner: 'svc', view: projectView },
  { of: 'project', path: '.gitattributes', owner: 'shared', view: projectView },
  { of: 'project', path: '.gitignore', owner: 'svc', view: projectView },
  { of: 'project', path: '.dockerignore', owner: 'svc', view: projectView },
]

export function hasGraphql({ graphql }: Pick<Project, 'graphql'>): boolean {
  return graphql.settings.enabled
}

function hasOpenapi({ blueprint }: Project): boolean {
  return blueprint.openapi === true
}

function hasMetrics({ blueprint }: Project): boolean {
  return blueprint.metrics === true
}

function hasReplicas({ blueprint }: Project): boolean {
  return blueprint.readReplicas === true
}

function hasTracing({ blueprint }: Project): boolean {
  return blueprint.tracing === true
}

function hasResolver({ key }: Entity, project: Surroundings): boolean {
  const isWanted = hasGraphql(project) && project.graphql.settings.output.resolvers
  return isWanted && project.graphqlTypes.has(key)
}

/** The controllers of signing in run from here until `svc auth` publishes a copy. */
function authOutputs(): readonly ProjectOutput[] {
  const controllers = authActions.map(({ controller }) => `${runningFolder}/${controller}.ts`)
  const paths = [
    'app/auth.ts',
    'app/throttles.ts',
    'app/Http/auth.ts',
    ...controllers,
    ...notificationPaths,
  ]
  return paths.map((path) => ({ of: 'project', path, owner: 'svc', view: authView, when: hasAuth }))
}

function hasAuth({ auth }: Project): boolean {
  return auth !== null
}

function hasHooks(entity: Entity): boolean {
  return entity.hasHooks
}
