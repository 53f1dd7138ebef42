import { studly } from '../../blueprint/names/names.js'
import type { Column, Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { closed, listOf, membersOf as membersOfRecords, schemasOf } from '../bulk/document.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation } from '../openapi/operations/operation.js'
import { article, deniedStatuses, securityOf } from '../openapi/operations/resource-operations.js'
import { bodyFailures, failure, json, responses, sent } from '../openapi/operations/statuses.js'
import { propertiesOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { entityParameters, hasSearch } from '../openapi/schemas/parameters.js'
import { parameter, response, schema } from '../openapi/schemas/references.js'
import { actionsFact, capitalized, type DeclaredAction, isRequired } from './check.js'
import { isUnwritten } from './reader.js'
import { actionRouteOf, type ActionRoute } from './routes.js'

/** Operations on records, and questions about them, that the developer's own code answers. */
export const actionsInDocument: DocumentPart = {
  operation: (api, route) => actionOperation(api, route),
  components: () => ({
    schemas: { ActionInfo: actionInfo, GetterInfo: getterInfo },
    responses: {
      actions: json('The actions.', listedIn('ActionInfo')),
      getters: json('The getters.', listedIn('GetterInfo')),
      actionInvalid: failure(
        'What is wrong with each record, by its place (`ids.0`), and with the input: `input.at`. Nothing was done.',
      ),
      '501': failure('Nobody has written what it does yet.'),
    },
  }),
}

const actionInfo = objectOf(
  {
    key: { type: 'string' },
    label: { type: 'string' },
    description: { type: 'string' },
    on: { enum: ['many', 'one', 'none'] },
    destructive: { type: 'boolean', description: 'It cannot be undone: ask before it is run.' },
    input: { type: 'object', description: 'What it is sent, as JSON Schema.' },
    authorized: { type: 'boolean', description: 'This user may run it.' },
  },
  ['key', 'label', 'on', 'destructive', 'input', 'authorized'],
)

const getterInfo = objectOf(
  {
    key: { type: 'string' },
    label: { type: 'string' },
    description: { type: 'string' },
    on: { enum: ['one', 'none'] },
    authorized: { type: 'boolean', description: 'This user may ask it.' },
  },
  ['key', 'label', 'on', 'authorized'],
)

const listedIn = (name: string): Data =>
  objectOf({ data: { type: 'array', items: schema(name) } }, ['data'])

/** `runPublishPosts`, `runPublishPost`, `getStatsPost` and `listActionsPosts`. */
export function actionOperation(api: Api, route: KnownRoute): Operation {
  const about = actionRouteOf(route)
  const { entity, operation } = about
  const common = { tag: entity.key, ...securityOf(api, isRead(about) ? 'show' : 'store', [entity]) }
  switch (operation) {
    case 'actions':
    case 'actionsOfOne':
    case 'getters':
    case 'gettersOfOne':
      return { ...common, ...listing(about) }
    case 'getNone':
    case 'getOne':
      return { ...common, ...getting(api, about) }
    default:
      return { ...common, ...running(api, about) }
  }
}

const isRead = ({ operation }: ActionRoute): boolean => !operation.startsWith('run')

function listing({ entity, operation }: ActionRoute) {
  const { key, name, plural, singular } = entity
  const isOne = operation.endsWith('OfOne')
  const word = operation.startsWith('actions') ? 'actions' : 'getters'
  return {
    operationId: `list${capitalized(word)}${isOne ? name : studly(key)}`,
    summary: `List the ${word} of ${isOne ? article(singular) : plural}`,
    responses: responses({ 200: response(word) }, isOne ? [400, 401, 404] : [400, 401]),
  }
}

function getting(api: Api, { entity, operation, name }: ActionRoute) {
  const declared = actionsFact.of(entity, api.project)?.getters.find((each) => each.name === name)
  const isOne = operation === 'getOne'
  const { description, label = sentenceOf(name) } = declared ?? {}
  return {
    operationId: `get${capitalized(name)}${isOne ? entity.name : studly(entity.key)}`,
    summary: `Get '${label}' of ${isOne ? article(entity.singular) : entity.plural}`,
    ...(description === undefined ? {} : { description }),
    responses: responses({ 200: json('The answer.', objectOf({ data: {} }, ['data'])) }, [
      ...[400, ...deniedStatuses(api)],
      ...(isOne ? [404] : []),
      ...unwrittenStatus(api, entity, name),
    ]),
  }
}

function running(api: Api, { entity, operation, name }: ActionRoute) {
  const declared = actionOf(api, entity, name)
  const { isDestructive, description, label = sentenceOf(name) } = declared
  const isOne = operation === 'runOne'
  const isMany = operation === 'runMany'
  const { singular, plural } = entity
  const subject = isOne ? ` on ${article(singular)}` : isMany ? ` on many ${plural}` : ''
  const texts = [
    ...(description === undefined
      ? []
      : [`${description}${/[.!?]$/.test(description) ? '' : '.'}`]),
    ...(isDestructive ? ['It cannot be undone.'] : []),
    ...(isMany
      ? [
          'With `"ids": "all"`, on all that the filters of the list find and the user may run it on.',
        ]
      : []),
  ]
  return {
    operationId: `run${capitalized(name)}${isOne ? entity.name : studly(entity.key)}`,
    summary: `Run '${label}'${subject}`,
    ...(texts.length === 0 ? {} : { description: texts.join(' ') }),
    ...(isDestructive ? { isDestructive } : {}),
    ...(isMany ? { parameters: filtersOf(api, entity) } : {}),
    body: bodyOf(api, entity, declared, isMany),
    responses: responses(
      {
        200: json('What the action returned.', objectOf({ data: {}, meta: processed })),
        204: response('204'),
      },
      [
        ...[...bodyFailures, ...deniedStatuses(api), 409],
        ...(isOne || isMany ? [404] : []),
        ...unwrittenStatus(api, entity, name),
      ],
      'actionInvalid',
    ),
  }
}

const unwrittenStatus = ({ project }: Api, entity: Entity, name: string): readonly number[] =>
  isUnwritten(project, entity, name) ? [501] : []

/** Only an action on all records says how many there were. */
const processed: Data = objectOf({ processed: { type: 'integer' } }, ['processed'])

export function actionOf({ project }: Api, entity: Entity, name: string): DeclaredAction {
  const found = actionsFact.of(entity, project)?.actions.find((each) => each.name === name)
  if (found === undefined) throw new Error(`'${entity.key}' has no action '${name}'`)
  return found
}

/** The filters of the list, and where to go on. */
function filtersOf(api: Api, entity: Entity): readonly Data[] {
  const prefix = api.prefix(entity)
  const others = ['include', 'sort'].map((name) => `${prefix}.${name}`)
  const filters = Object.keys(entityParameters(api, entity)).filter(
    (name) => !others.includes(name),
  )
  const names = [...(hasSearch(entity) ? ['search'] : []), ...filters]
  return [...names.map(parameter), after]
}

const after: Data = {
  name: 'after',
  in: 'query',
  description: 'With `"ids": "all"`: goes on below this id, where a request before has stopped.',
  schema: schema('Id'),
}

function bodyOf(api: Api, entity: Entity, declared: DeclaredAction, isMany: boolean): Data {
  const input = inputSchema(declared.input)
  const isInputRequired = declared.input.some(isRequired)
  const properties = {
    ...(isMany ? { ids: { anyOf: [{ const: 'all' }, idsOf(api, entity)] } } : {}),
    ...(input === null ? {} : { input }),
  }
  const required = [...(isMany ? ['ids'] : []), ...(isInputRequired ? ['input'] : [])]
  const isNeeded = required.length > 0
  return { ...sent(closed(properties, required)), required: isNeeded }
}

/** Null: it is sent nothing. */
export const inputSchema = (input: readonly Column[]): Data | null =>
  input.length === 0
    ? null
    : closed(
        propertiesOf(input),
        input.filter(isRequired).map(({ name }) => name),
      )

function idsOf(api: Api, entity: Entity): Data {
  const members = membersOfRecords(api, entity)
  const required = members.flatMap(({ name, isRequired: isNeeded }) => (isNeeded ? [name] : []))
  const named = closed({ id: schema('Id'), ...schemasOf(members) }, ['id', ...required])
  const one =
    members.length === 0
      ? schema('Id')
      : required.length > 0
        ? named
        : { anyOf: [schema('Id'), named] }
  return listOf(api, entity, one)
}

/** `sendInvoice` is "Send invoice". */
const sentenceOf = (name: string): string =>
  capitalized(name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
