import type { Project } from '../../plan/project.js'
import { firstRules, nobody } from '../../plan/views/fields/first-rules.js'
import { projectView } from '../../plan/views/project.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { transactionsOf } from '../transactions/check.js'
import { softDeletesCheck, usualColumn, softDeletesFact } from './check.js'
import { trashInGraphql } from './graphql.js'
import { policyAdvice } from './policy-advice.js'
import { isSoft, trashRoutes } from './routes.js'

/** Other frameworks use this name. */
const usualColumns = new Set([usualColumn, 'deletedAt'])

const folder = '#runtime/features/soft-deletes'

export const softDeletes: Feature = {
  name: 'softDeletes',
  check: softDeletesCheck,
  isOn: ({ blueprint }) => blueprint.features['softDeletes'] !== undefined,
  outputs: [
    { of: 'project', path: 'app/prune.ts', owner: 'svc', view: projectView, when: keepsForDays },
  ],
  slots: (project) => {
    const { entities } = project
    const models = entities.filter(isSoft).map(({ name }) => `${name}Model`)
    const hasHooks = entities.some((entity) => entity.hasHooks)
    const { inside } = transactionsOf(project.blueprint)
    const hasInside = entities.some((entity) => isSoft(entity) && inside.includes(entity.key))
    const names = [
      ...(hasInside ? ['InsideTrashHooks'] : []),
      ...(hasHooks ? ['TrashHooks'] : []),
      'TrashPolicy',
    ]
    return {
      imports: { 'app/Models.ts': [{ from: `${folder}/trash-types.js`, names, isType: true }] },
      models_policy_types: [`TrashPolicy<Model, CurrentUser, ${models.join(' | ')}>`],
      models_hook_types: ['TrashHooks<Model, CurrentUser>'],
      ...(keepsForDays(project) ? { package_scripts: ['"prune": "tsx app/prune.ts"'] } : {}),
    }
  },
  texts: (project) => (keepsForDays(project) ? { operate: pruning } : {}),
  entitySlots: (entity, project) => {
    const said = softDeletesFact.of(entity, project)
    if (said === null) return {}
    const { column, cascade, keepDays } = said
    const parts = [
      ...(column === usualColumn ? [] : [`column: ${literal(column)}`]),
      ...(cascade.length === 0 ? [] : [`cascade: [${cascade.map(literal).join(', ')}]`]),
      ...(keepDays === undefined ? [] : [`keepDays: ${keepDays}`]),
    ]
    const options = parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
    const isUsers = entity.key === project.auth?.key
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: `${folder}/soft-deletes.js`, names: ['softDeletes'] },
          ...(isUsers ? [{ from: `${folder}/ended-access.js`, names: ['endedAccess'] }] : []),
        ],
        'app/Http/Controllers/NameController.ts': [
          { from: `${folder}/routes.js`, names: ['trashRoutes'] },
        ],
      },
      repository_extensions: [`softDeletes(${options})`, ...(isUsers ? ['endedAccess'] : [])],
      controller_routes: [`.route('/', trashRoutes(${entity.name}Repository))`],
      policy_methods: [
        [
          '  /** Which records of the trash a user may bring back: true, false, or a condition on the row. */',
          `  restore: ${firstRules(entity, project).delete},`,
          '  /** Which records a user may delete for good, in the trash or not. */',
          `  forceDelete: ${nobody},`,
        ].join('\n'),
      ],
    }
  },
  matrix: {
    import: { from: `${folder}/testing.js`, names: ['inTrashFirst'] },
    options: 'inTrashFirst',
  },
  entityRoutes: trashRoutes,
  has: (entity, blueprint) => {
    const said = softDeletesFact.in(blueprint, entity)
    if (said === null) return null
    const { column, cascade, keepDays } = said
    const along = cascade.length === 0 ? '' : `, and takes ${cascade.join(', ')} along`
    const until = keepDays === undefined ? '' : `, for ${keepDays} days`
    return `a trash (${column})${until}${along}`
  },
  policyAdvice,
  ofExisting: (fields) => {
    const found = fields.find(
      ({ name, text }) => usualColumns.has(name) && text === 'dateTime().nullable()',
    )
    if (found === undefined) return null
    return {
      line: `softDeletes: { column: ${literal(found.name)} },`,
      says: `rows with a ${found.name} are in its trash`,
      leavesKeys: true,
    }
  },
  graphql: trashInGraphql,
  client: async () => (await import('./client.js')).trashInClient,
  document: async () => (await import('./document.js')).trashInDocument,
}

function keepsForDays(project: Project): boolean {
  return project.entities.some(
    (entity) => softDeletesFact.of(entity, project)?.keepDays !== undefined,
  )
}

const pruning = [
  '- **The trash.** `npm run prune` deletes for good what has been in it for longer than `keepDays` of its repository (in the image: `node dist/app/prune.js`). Run it',
  '  once a day.',
]
