import type { RoutesFile } from '../../plan/routes/routes.js'
import type { Feature } from '../../write/feature.js'
import { graphqlMoves } from './moves.js'
import { typeNames } from './names.js'
import { graphqlConfig, graphqlOutputs } from './outputs.js'
import { graphqlReader } from './reader.js'
import { defaultSettings } from './settings.js'

const routesFile: RoutesFile = { path: 'routes/graphql.ts', name: 'graphql', below: '/graphql' }

export const graphql: Feature = {
  name: 'graphql',
  reader: graphqlReader,
  isOn: ({ derived }) => derived.graphql.settings.enabled,
  derive: (
    { entities },
    { graphql: facts = { settings: defaultSettings, closed: new Map() } },
  ) => ({
    graphql: { ...facts, types: typeNames(entities, facts.settings) },
  }),
  outputs: graphqlOutputs,
  always: [graphqlConfig],
  moves: graphqlMoves,
  packages: () => ({ dependencies: ['graphql'] }),
  preloaded: ['graphql'],
  routesFile,
  registrations: [
    {
      name: 'svcGraphql',
      file: routesFile.path,
      routes: (path) =>
        ['POST', 'GET'].map((method) => ({
          method,
          path,
          controller: routesFile.path,
          policy: null,
          does: { is: 'feature', feature: 'graphql', operation: 'graphql' },
        })),
    },
  ],
  slots: () => ({
    imports: {
      'app/app.ts': [{ from: '../routes/graphql.js', names: ['graphql'] }],
      'app/OpenApi/explorer.ts': [{ from: '#config/svc-graphql.js', names: ['graphql'] }],
    },
    app_routes: ["app.route('/graphql', graphql)"],
    docs_options: ['graphiql: graphql.graphiql, // a link to /graphql, in development'],
  }),
  texts: ({ derived }) => {
    const folder = derived.graphql.settings.output.path
    return {
      reads: [folder],
      pageSize: 'for GraphQL `first` of `config/svc-graphql.ts`',
      changes: [
        {
          what: 'the GraphQL schema, its limits and names',
          where: '`config/svc-graphql.ts`',
          then: '`npx --no svc generate`',
        },
        {
          what: 'fields and resolvers of your own',
          where: `\`${folder}/\`, \`routes/graphql.ts\``,
        },
      ],
      routes: [
        {
          route: '`/graphql`',
          what: 'the same over GraphQL; in development, open it in a browser',
        },
      ],
    }
  },
}
