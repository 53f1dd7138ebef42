import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { softDeletesFact } from '../soft-deletes/check.js'
import { transactionsCheck, transactionsOf } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** URI keys of repositories with hooks inside the transaction. */
    readonly inside: readonly string[]
  }
}

const folder = '#runtime/features/transactions'

export const transactions: Feature = {
  name: 'transactions',
  check: transactionsCheck,
  derive: (blueprint) => ({ inside: transactionsOf(blueprint).inside }),
  outputs: [
    {
      of: 'project',
      path: 'app/insideHooks.ts',
      owner: 'svc',
      when: ({ blueprint }) => transactionsOf(blueprint).inside.length > 0,
      view: projectView,
    },
  ],
  slots: ({ blueprint }) => ({
    imports: {
      'app/database.ts': [{ from: `${folder}/join.js`, names: ['joinTransactions'] }],
      'app/prisma.ts': [{ from: `${folder}/guarded.js`, names: ['outsideTransactions'] }],
      ...(transactionsOf(blueprint).inside.length > 0 ? importsForHooks : {}),
    },
    database_opened: [
      '// What repositories do in a transaction that is open is part of it.',
      'joinTransactions(database, config.limits)',
    ],
    prisma_around: ['outsideTransactions'],
    config_limits: [
      '/** A transaction that is open longer is rolled back: 503. */',
      'transaction_ms: 5_000,',
    ],
    ...(transactionsOf(blueprint).inside.length > 0 ? slotsForHooks(blueprint) : {}),
  }),
  entitySlots: (entity, project) =>
    isInside(entity, project)
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#app/insideHooks.js', names: ['insideHooks'] },
            ],
          },
          repository_extensions: ['insideHooks'],
          hooks_type: ['InsideHooksFor'],
        }
      : {},
  graphql: {
    endpoint: ({ blueprint }) =>
      transactionsOf(blueprint).areTogether
        ? {
            imports: [
              { from: '#app/database.js', names: ['database'] },
              { from: `${folder}/together.js`, names: ['mutationsTogether'] },
            ],
            lines: ['together: mutationsTogether(database),'],
          }
        : null,
  },
}

const isInside = ({ key }: Pick<Entity, 'key'>, { derived }: Surroundings) =>
  derived.inside.includes(key)

const importsForHooks = {
  'app/app.ts': [{ from: `${folder}/request.js`, names: ['requestForHooks'] }],
  'app/Models.ts': [
    {
      from: `${folder}/hook-types.js`,
      names: ['InsideContext', 'InsideHooks', 'RequestContext'],
      isType: true,
    },
    { from: './database.js', names: ['db'], isType: true },
    { from: './Repositories/index.js', names: ['repositories'], isType: true },
  ],
}

function slotsForHooks(blueprint: Blueprint) {
  const models = blueprint.entities
    .filter(({ key }) => transactionsOf(blueprint).inside.includes(key))
    .filter((entity) => softDeletesFact.in(blueprint, entity) !== null)
    .map(({ name }) => `${name}Model`)
  const hasTrash = models.length > 0
  const context = 'InsideContext<CurrentUser, typeof repositories, typeof db>'
  return {
    app_before_routes: ['app.use(requestForHooks) // what hooks know of a request'],
    models_hook_context: ['HookContext<CurrentUser>'],
    models_last: [
      "/** The same where the manifest says `hooks: 'inside'`: some run in the transaction of the write. */",
      'export type InsideHooksFor<Model extends AnyModel> = HooksFor<Model, RequestContext<CurrentUser>> &',
      `  InsideHooks<Model, ${context}>`,
      ...(hasTrash ? [`  & InsideTrashHooks<Model, ${context}, ${models.join(' | ')}>`] : []),
    ],
  }
}
