import type { Project } from '../../plan/project.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { aSwitch } from '../a-switch.js'
import { actionsFact } from '../actions/check.js'
import type { ClientPart } from '../client/names.js'
import type { DocumentPart } from '../openapi/api.js'
import { type Preference, preferenceParameter } from '../openapi/operations/operation.js'
import { takesWrite } from '../openapi/operations/resource-operations.js'
import { json, responses } from '../openapi/operations/statuses.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter, response } from '../openapi/schemas/references.js'
import { transactionsOf } from '../transactions/check.js'

const folder = '#runtime/features/dry-run'

export const dryRun: Feature = {
  name: 'dryRun',
  check: aSwitch('dryRun'),
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
  entitySlots: (entity, project) =>
    entity.hasHooks || actionsFact.of(entity, project) !== null
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: `${folder}/dry-run.js`, names: ['dryRunForHooks'] },
            ],
          },
          // After what hooks inside the transaction know of their request; actions have a context, too.
          repository_extensions: ['dryRunForHooks'],
        }
      : {},
  client: async () => dryRunInClient,
  document: async () => dryRunInDocument,
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

/** Writes may be dry runs, or bounded. */
const dryRunInClient: ClientPart = {
  sends: () => [
    {
      name: 'maxAffected',
      type: 'number',
      header: 'prefer: `max-affected=${maxAffected}`',
      remark:
        'So many rows may be written, with what goes along: more is an `SvcError` of 409 and nothing is done.',
    },
  ],
  templates: [{ path: 'parts/dry-run.ts', at: 'requests', view: () => ({}) }],
}

const bounded: Preference = {
  alone: parameter('maxAffected'),
  description:
    'With `max-affected=20` it is done if it writes 20 rows at most, with what goes along; else 409 says how many.',
  pattern: String.raw`max-affected=\d{1,15}`,
}

/** Any write may be tried, and answers 200 then; or be bounded. */
const dryRunInDocument: DocumentPart = {
  around: (operation, route) => {
    if (!takesWrite(route)) return operation
    const { success, failures, invalid } = operation.responses
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), parameter('dryRun')],
      preferences: [...(operation.preferences ?? []), bounded],
      responses: responses(
        { 200: response('dryRun'), ...success },
        [...failures, 400, 409],
        invalid,
      ),
    }
  },
  components: () => ({
    parameters: {
      maxAffected: preferenceParameter(bounded),
      dryRun: {
        name: 'dryRun',
        in: 'query',
        description:
          'With `true` it is done and rolled back: 200 with what it would have answered, and in `meta.affected` the rows of each table.',
        schema: { enum: ['true', 'false'] },
      },
    },
    responses: {
      dryRun: json('What would have been done.', {
        ...objectOf({
          data: {},
          meta: objectOf({
            dryRun: { const: true },
            affected: { type: ['object', 'null'], additionalProperties: { type: 'integer' } },
          }),
        }),
      }),
    },
  }),
}
