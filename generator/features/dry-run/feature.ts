import type { Project } from '../../plan/project.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../feature.js'
import { transactionsOf } from '../transactions/check.js'

const folder = '#runtime/features/dry-run'

export const dryRun: Feature = {
  name: 'dryRun',
  outputs: [{ of: 'project', path: 'app/dryRun.ts', owner: 'svc', view: dryRunView }],
  slots: ({ blueprint, entities }) => ({
    resources_imports: ["import { dryRun } from '#app/dryRun.js'"],
    resources_around: ['dryRun'],
    auth_imports: [`import { noDryRun } from '${folder}/dry-run.js'`],
    auth_before: ['api.use(`${path}/*`, noDryRun) // or 400'],
    ...(entities.some(({ hasHooks }) => hasHooks)
      ? hookTypes(transactionsOf(blueprint).inside.length > 0)
      : {}),
  }),
  entitySlots: (entity) =>
    entity.hasHooks
      ? {
          repository_imports: [`import { dryRunForHooks } from '${folder}/dry-run.js'`],
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

const hookTypes = (hasOthers: boolean) => ({
  models_imports: [`import type { DryRunOfHook } from '${folder}/dry-run.js'`],
  models_hook_context: [hasOthers ? ' & DryRunOfHook' : 'HookContext<CurrentUser> & DryRunOfHook'],
})
