import type { Project } from '../../plan/project.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { transactionsOf } from '../transactions/check.js'
import { dryRunCheck } from './check.js'

const folder = '#runtime/features/dry-run'

export const dryRun: Feature = {
  name: 'dryRun',
  check: dryRunCheck,
  outputs: [{ of: 'project', path: 'app/dryRun.ts', owner: 'svc', view: dryRunView }],
  slots: ({ blueprint, entities }) => ({
    imports: {
      'app/Models.ts': entities.some(({ hasHooks }) => hasHooks)
        ? [{ from: `${folder}/dry-run.js`, names: ['DryRunOfHook'], isType: true }]
        : [],
      'app/Http/resources.ts': [{ from: '#app/dryRun.js', names: ['dryRun'] }],
      'app/GraphQL/endpoint.ts': [{ from: '#app/dryRun.js', names: ['dryRun'] }],
      'app/Http/auth.ts': [{ from: `${folder}/dry-run.js`, names: ['noDryRun'] }],
    },
    resources_around: ['dryRun'],
    auth_before: ['api.use(`${path}/*`, noDryRun) // or 400'],
    models_hook_context: entities.some(({ hasHooks }) => hasHooks)
      ? [hookContext(transactionsOf(blueprint).inside.length > 0)]
      : [],
  }),
  entitySlots: (entity) =>
    entity.hasHooks
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: `${folder}/dry-run.js`, names: ['dryRunForHooks'] },
            ],
          },
          // After what hooks inside the transaction know of their request.
          repository_extensions: ['dryRunForHooks'],
        }
      : {},
  client: async () => (await import('./client.js')).dryRunInClient,
  document: async () => (await import('./document.js')).dryRunInDocument,
}

export interface DryRunView {
  readonly tables: readonly string[]
}

/** All that the server writes for clients: not what it keeps for itself. */
function dryRunView({ blueprint, entities }: Project): DryRunView {
  const tables = [
    ...entities.map(({ table }) => table),
    ...blueprint.pivots.map(({ table }) => table),
  ]
  return { tables: [...new Set(tables)].toSorted().map(literal) }
}

const hookContext = (hasOthers: boolean) =>
  hasOthers ? ' & DryRunOfHook' : 'HookContext<CurrentUser> & DryRunOfHook'
