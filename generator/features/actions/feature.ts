import type { Column, Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import { firstRules, nobody } from '../../plan/views/fields/first-rules.js'
import { defaultOf } from '../../plan/views/fields/relations.js'
import { ruleOf } from '../../plan/views/fields/rule.js'
import { projectView } from '../../plan/views/project.js'
import { ruleImportsOf } from '../../plan/views/repository.js'
import { literal, property, remark, valueOf } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { bulkFact } from '../bulk/check.js'
import type { Data } from '../openapi/facts.js'
import { writtenSchema } from '../openapi/schemas/column-schema.js'
import { objectOf } from '../openapi/schemas/object.js'
import {
  actionsCheck,
  actionsFact,
  type DeclaredAction,
  type DeclaredActions,
  type DeclaredGetter,
  getMethod,
  isRequired,
  runMethod,
} from './check.js'
import { actionsInGraphql } from './graphql.js'
import { actionsReader } from './reader.js'
import { actionRoutesOf } from './routes.js'
import { actionsView, declaredType } from './view.js'
import { action, getter } from './words.js'

const folder = '#runtime/features/actions'

/** Operations on records, and questions about them, that the developer's own file answers. */
export const actions: Feature = {
  name: 'actions',
  vocabulary: { action, getter },
  answered: ['getter'],
  check: actionsCheck,
  reader: actionsReader,
  outputs: [
    {
      of: 'entity',
      path: 'app/Actions/NameActions.ts',
      owner: 'you',
      view: actionsView,
      when: hasActions,
    },
    {
      of: 'project',
      path: 'app/actions.ts',
      owner: 'svc',
      view: projectView,
      when: ({ blueprint }) => blueprint.features['actions'] !== undefined,
    },
  ],
  slots: (project) => ({
    imports: {
      'app/Models.ts': [
        {
          from: `${folder}/action-types.js`,
          names: ['ActionContext', 'ActionPolicy', 'Actions', 'DeclaredActions'],
          isType: true,
        },
        { from: './database.js', names: ['db'], isType: true },
        { from: './Repositories/index.js', names: ['repositories'], isType: true },
      ],
      'app/app.ts': [
        { from: '#runtime/features/transactions/request.js', names: ['requestForHooks'] },
      ],
    },
    app_before_routes: ['app.use(requestForHooks) // what actions and hooks know of a request'],
    models_policy_types: ['ActionPolicy<Model, CurrentUser>'],
    models_last: modelLines(project),
    config_limits: [
      ...(hasBulk(project)
        ? []
        : [
            '/** Records that one request names for an action; more is 413. */',
            'bulk_rows: 1_000,',
          ]),
      '/** Records that `"ids": "all"` finds for an action; more is 409. */',
      'action_rows: 10_000,',
    ],
  }),
  texts: () => ({
    changes: [{ what: 'what an action or a getter does', where: '`app/Actions/`' }],
    ownFiles: [
      {
        files: '`app/Actions/`',
        so: 'what an action of the manifest does, in one transaction, and what a getter answers',
      },
    ],
  }),
  entitySlots: (entity, project) => {
    const said = actionsFact.of(entity, project)
    if (said === null) return {}
    const isDeleted = project.deleted.has(actionsPath(entity))
    const answers = isDeleted ? '{}' : `${entity.name}Actions`
    const rules = said.actions.flatMap(({ input }) => input.map(ruleOf))
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: '#app/actions.js', names: ['actions'] },
          ...(isDeleted ? [] : [{ from: `#app/Actions/${answers}.js`, names: [answers] }]),
          ...ruleImportsOf(rules).map(({ file, names }) => ({
            from: `#runtime/input/${file}.js`,
            names,
          })),
        ],
        'app/Http/Controllers/NameController.ts': [
          { from: `${folder}/routes.js`, names: ['actionRoutes'] },
        ],
      },
      repository_extensions: [`actions(${answers}, ${declaredText(said)})`],
      controller_routes_first: [`.route('/', actionRoutes(${entity.name}Repository))`],
      model_members: [`actions: ${entity.name}Actions`],
      policy_methods: policyMethods(entity, project),
    }
  },
  publicReads: ({ entities, blueprint }) =>
    entities.flatMap((entity) => publicReadsOf(entity, actionsFact.in(blueprint, entity))),
  entityRoutes: actionRoutesOf,
  has: (entity, blueprint) => {
    const said = actionsFact.in(blueprint, entity)
    if (said === null) return null
    const named = (word: string, all: readonly { readonly name: string }[]) =>
      all.length === 0 ? [] : [`${word} ${all.map(({ name }) => name).join(', ')}`]
    return [...named('actions', said.actions), ...named('getters', said.getters)].join('; ')
  },
  yours: (entity, blueprint) =>
    actionsFact.in(blueprint, entity) === null ? [] : [actionsPath(entity)],
  matrix: {
    import: { from: `${folder}/testing.js`, names: ['refusedInput'] },
    options: 'refusedInput',
  },
  graphql: actionsInGraphql,
  client: async () => (await import('./client.js')).actionsInClient,
  document: async () => (await import('./document.js')).actionsInDocument,
}

const actionsPath = ({ name }: Entity) => `app/Actions/${name}Actions.ts`

/** The lists of a public repository, and its getters: what a guest gets is for its policy to say. */
function publicReadsOf({ isPublic, key }: Entity, said: DeclaredActions | null): readonly string[] {
  if (!isPublic || said === null) return []
  const ofNone = said.getters.filter(({ on }) => on === 'none')
  return ['actions', 'getters', ...ofNone.map(({ name }) => name)].map((each) => `${key}/${each}`)
}

function hasActions(entity: Entity, project: Surroundings): boolean {
  return actionsFact.of(entity, project) !== null
}

/** The config names the limit of bulk requests already. */
const hasBulk = (project: Project): boolean =>
  project.entities.some((entity) => bulkFact.of(entity, project) !== null)

/** Types of the files of app/Actions. */
const modelLines = (project: Project): readonly string[] => [
  ...project.entities.flatMap((entity) => declaredType(entity, project)),
  [
    '/** What one repository answers of its actions and getters. */',
    'export type ActionsFor<Model extends AnyModel, Declared extends DeclaredActions> =',
    '  Actions<Model, Declared, ActionContext<CurrentUser, typeof repositories, typeof db>>',
  ].join('\n'),
]

function policyMethods(entity: Entity, project: Surroundings): readonly string[] {
  const { actions: all = [], getters = [] } = actionsFact.of(entity, project) ?? {}
  const rules = firstRules(entity, project)
  const methods = [
    ...all.map((each) => {
      const rule = each.on === 'none' || each.isDestructive ? nobody : rules.update
      return method(runMethod(each.name), rule, remarkOfRun(each))
    }),
    ...getters.map((each) => {
      const rule = each.on === 'none' ? nobody : rules.show
      const rows = each.on === 'none' ? 'May a user ask' : 'Of which rows a user may ask'
      const answer = each.on === 'none' ? 'true or false' : 'true, false, or a condition on the row'
      return method(getMethod(each.name), rule, `${rows} for '${each.name}': ${answer}.`)
    }),
  ]
  return [methods.join('\n')]
}

const remarkOfRun = ({ name, on }: DeclaredAction): string =>
  on === 'none'
    ? `May a user run '${name}': true or false.`
    : `On which of the rows they see a user may run '${name}': true, false, or a condition on the row.`

const method = (name: string, rule: string, text: string): string =>
  [`  /** ${remark(text)} */`, `  ${name}: ${rule},`].join('\n')

/** `{ publish: { on: 'many', input: { at: dateTime().nullish() } } }` */
function declaredText({
  actions: all,
  getters,
}: {
  readonly actions: readonly DeclaredAction[]
  readonly getters: readonly DeclaredGetter[]
}): string {
  const object = (members: readonly string[]) =>
    members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  const texts = ({ label, description }: DeclaredAction | DeclaredGetter) => [
    ...(label === undefined ? [] : [`label: ${literal(label)}`]),
    ...(description === undefined ? [] : [`description: ${literal(description)}`]),
  ]
  const actionText = (each: DeclaredAction) => {
    const { name, on, input, isDestructive } = each
    const rules = input.map((column) => `${property(column.name)}: ${ruleOf(column).text}`)
    const defaults = input.flatMap(defaultOf)
    return `${name}: ${object([
      `on: ${literal(on)}`,
      ...texts(each),
      ...(isDestructive ? ['destructive: true'] : []),
      ...(input.length === 0 ? [] : [`input: ${object(rules)}`]),
      ...(defaults.length === 0 ? [] : [`defaults: ${object(defaults)}`]),
      ...(input.length === 0 ? [] : [`schema: ${valueOf(schemaOf(input) as never)}`]), // it is JSON
    ])}`
  }
  const getterText = (each: DeclaredGetter) =>
    `${each.name}: ${object([`on: ${literal(each.on)}`, ...texts(each)])}`
  return object([
    ...(all.length === 0 ? [] : [`actions: ${object(all.map(actionText))}`]),
    ...(getters.length === 0 ? [] : [`getters: ${object(getters.map(getterText))}`]),
  ])
}

/** What an action is sent, as JSON Schema: a list of actions shows it, so it refers to nothing else. */
function schemaOf(input: readonly Column[]): Data {
  const alone = (column: Column): Data => {
    const schema = writtenSchema(column)
    return JSON.stringify(schema).includes('$ref') ? {} : schema
  }
  return objectOf(
    Object.fromEntries(input.map((column) => [column.name, alone(column)])),
    input.filter(isRequired).map(({ name }) => name),
  )
}
