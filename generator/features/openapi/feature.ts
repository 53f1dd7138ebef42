import type { KnownRoute } from '../../plan/routes/routes.js'
import { authView } from '../../plan/views/auth.js'
import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { onByDefault } from '../a-switch.js'
import { openapiReader } from './reader.js'

export const openapi: Feature = {
  name: 'openapi',
  check: onByDefault('openapi'),
  reader: openapiReader,
  outputs: [
    { of: 'project', path: 'app/OpenApi/endpoint.ts', owner: 'svc', view: projectView },
    { of: 'project', path: 'tests/contract.test.ts', owner: 'svc', view: authView },
  ],
  files: async (project) => (await import('./files.js')).openapiFiles(project),
  packages: () => ({ devDependencies: ['ajv', 'ajv-formats', 'fast-check'] }),
  routes: ({ facts }) => (facts.openapi?.config.document === 'off' ? [] : [route]),
  document: async () => (await import('./operations/own-operation.js')).openapiInDocument,
  slots: ({ auth }) => ({
    imports: {
      'app/app.ts': [{ from: './OpenApi/endpoint.js', names: ['openapi'] }],
      'config/svc.ts': [{ from: '#runtime/features/openapi/config.js', names: ['defineDocs'] }],
    },
    app_routes: ["app.route('/openapi.json', openapi)"],
    config_exports: [docs(auth !== null)],
  }),
  texts: () => ({
    changes: [
      {
        what: 'the document of your own routes',
        where: '`app/OpenApi/own.json`',
        then: '`npx --no svc generate`',
      },
    ],
    routes: [
      {
        route: '`/openapi.json`',
        what: 'the document of the API, in OpenAPI 3.1; `docs` in `config/svc.ts` decides who may read it',
      },
    ],
    reads: ['app/OpenApi/openapi.json'],
  }),
}

const route: KnownRoute = {
  method: 'GET',
  path: '/openapi.json',
  controller: 'app/OpenApi/endpoint.ts',
  policy: null,
  does: { is: 'feature', feature: 'openapi', operation: 'show' },
}

const docs = (hasTokens: boolean) => `
export const docs = defineDocs({
  /** Who may read /openapi.json: 'public'${hasTokens ? ", 'token' (who sends a valid one)" : ''} or 'off'. */
  document: 'public',
  /** /docs, the page about the API: 'development', 'always' (in production too) or 'off'. */
  page: 'development',
})`
