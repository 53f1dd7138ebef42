import type { Feature } from '../../write/feature.js'
import { bulkCheck, bulkFact } from './check.js'
import { bulkInGraphql } from './graphql.js'
import { bulkRoutesOf } from './routes.js'

const folder = '#runtime/features/bulk'

export const bulk: Feature = {
  name: 'bulk',
  check: bulkCheck,
  slots: (project) => {
    const all = project.entities.filter((entity) => bulkFact.of(entity, project) !== null)
    const models = all.map(({ name }) => `${name}Model`)
    const hasHooks = all.some((entity) => entity.hasHooks)
    const names = hasHooks ? ['BulkHooks', 'BulkPolicy'] : ['BulkPolicy']
    return {
      imports: { 'app/Models.ts': [{ from: `${folder}/bulk-types.js`, names, isType: true }] },
      models_policy_types: [`BulkPolicy<Model, CurrentUser, ${models.join(' | ')}>`],
      models_hook_types: ['BulkHooks<Model, CurrentUser>'],
      config_limits: [
        '/** Records of one bulk request; more is 413. */',
        'bulk_rows: 1_000,',
        '/** Largest body of one, in bytes; larger is 413. */',
        'bulk_bytes: 8_388_608,',
      ],
    }
  },
  entitySlots: (entity, project) => {
    const said = bulkFact.of(entity, project)
    if (said === null) return {}
    const options = said.max === null ? '' : `, { max: ${said.max} }`
    return {
      imports: {
        'app/Http/Controllers/NameController.ts': [
          { from: `${folder}/routes.js`, names: ['bulkRoutes'] },
        ],
      },
      controller_routes_first: [`.route('/', bulkRoutes(${entity.name}Repository${options}))`],
    }
  },
  has: (entity, blueprint) => {
    const said = bulkFact.in(blueprint, entity)
    if (said === null) return null
    return said.max === null
      ? 'lists in one request'
      : `lists of ${said.max} records at most in one request`
  },
  matrix: { import: { from: `${folder}/testing.js`, names: ['ofMany'] }, options: 'ofMany' },
  entityRoutes: bulkRoutesOf,
  graphql: bulkInGraphql,
  client: async () => (await import('./client.js')).bulkInClient,
  document: async () => (await import('./document.js')).bulkInDocument,
}
