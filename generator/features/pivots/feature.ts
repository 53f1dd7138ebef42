import type { Entity } from '../../blueprint/types.js'
import type { Feature } from '../../write/feature.js'
import { pivotsInGraphql } from './graphql.js'
import { pivotMethods } from './policy.js'
import { pivotRoutes } from './routes.js'

/**
 * Many-to-many relations are part of what repositories are: their tables are in the blueprint, and their entries stand among the
 * relations of a repository. Here is what is added to that.
 */
export const pivots: Feature = {
  name: 'pivots',
  isOn: ({ blueprint }) => blueprint.pivots.length > 0,
  slots: ({ entities }) => {
    const hasHooks = entities.some((entity) => entity.hasHooks)
    const names = hasHooks ? ['PivotHooks', 'PivotPolicy'] : ['PivotPolicy']
    return {
      imports: {
        'app/Models.ts': [{ from: '#runtime/features/pivots/pivot-types.js', names, isType: true }],
      },
      models_policy_types: ['PivotPolicy<Model, CurrentUser>'],
      models_hook_types: ['PivotHooks<Model, CurrentUser>'],
    }
  },
  entitySlots: (entity, project) =>
    hasPivots(entity)
      ? {
          imports: {
            'app/Http/Controllers/NameController.ts': [
              { from: '#runtime/features/pivots/routes.js', names: ['pivotRoutes'] },
            ],
          },
          controller_routes: [`.route('/', pivotRoutes(${entity.name}Repository))`],
          policy_methods: pivotMethods(entity, project),
        }
      : {},
  entityRoutes: pivotRoutes,
  graphql: pivotsInGraphql,
  client: async () => (await import('./client.js')).pivotsInClient,
  document: async () => (await import('./document.js')).pivotsInDocument,
}

const hasPivots = ({ relations }: Entity) => relations.some(({ pivot }) => pivot !== null)
