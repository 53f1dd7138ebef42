import { isReservedVariable } from '../../blueprint/names/names.js'
import type { Column, Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { membersOf as membersOfRecords } from '../bulk/document.js'
import { idsIn, pathText, remarkOf, type OperationView } from '../client/function-view.js'
import { recordPartOf, writeOptions, type Client, type ClientPart } from '../client/names.js'
import { typeText } from '../client/type-text.js'
import { hasSearch } from '../openapi/schemas/parameters.js'
import { actionsFact, capitalized, isRequired } from './check.js'
import { actionOf, actionOperation, inputSchema } from './document.js'
import { actionRouteOf } from './routes.js'

export const actionsInClient: ClientPart = {
  functions: (client, route) => [actionFunction(client, route)],
  templates: [
    {
      path: 'parts/request-returned.ts',
      at: 'requests',
      view: ({ api }) => (api.project.blueprint.features['actions'] === undefined ? null : {}),
    },
  ],
  hasReadingTypes: ({ api }, entity) => actionsFact.of(entity, api.project) !== null,
  readingTypes: {
    ActionInfo: `/** An action, as a list of actions shows it. */
export interface ActionInfo {
  readonly key: string
  readonly label: string
  readonly description?: string
  readonly on: 'many' | 'one' | 'none'
  /** It cannot be undone: ask before it is run. */
  readonly destructive: boolean
  /** What it is sent, as JSON Schema. */
  readonly input: Readonly<Record<string, unknown>>
  /** This user may run it. */
  readonly authorized: boolean
}`,
    GetterInfo: `/** A getter, as a list of getters shows it. */
export interface GetterInfo {
  readonly key: string
  readonly label: string
  readonly description?: string
  readonly on: 'one' | 'none'
  /** This user may ask it. */
  readonly authorized: boolean
}`,
  },
}

/** Functions that a module may have anyway; an action of that name is called `runShow`. */
const taken = new Set([
  ...['index', 'show', 'each', 'pageFrom', 'store', 'replace', 'patch', 'destroy'],
  ...['storeMany', 'patchMany', 'deleteMany', 'upsert', 'upsertMany', 'restore', 'forceDelete'],
  ...['search', 'searchEach', 'searchFrom', 'aggregate', 'exportCsv', 'filters'],
  ...[
    'actions',
    'actionsOf',
    'getters',
    'gettersOf',
    'path',
    'request',
    'requestData',
    'requestReturned',
    'walk',
  ],
])

const nameIn = (name: string, verb: 'run' | 'get'): string =>
  taken.has(name) || isReservedVariable(name) ? `${verb}${capitalized(name)}` : name

function actionFunction(client: Client, route: KnownRoute): OperationView {
  const about = actionRouteOf(route)
  const { entity, operation, name } = about
  const { summary } = actionOperation(client.api, route)
  const common = { remark: remarkOf(route, summary), generics: '' }
  const at = pathText(route.path)
  const ids = idsIn(route.path)
  switch (operation) {
    case 'actions':
    case 'actionsOfOne':
    case 'getters':
    case 'gettersOfOne':
      return {
        ...common,
        // `actions(api)` and `actionsOf(api, id)`
        name: operation.replace('OfOne', 'Of'),
        parameters: ['api: Api', ...ids, 'options: Options = {}'],
        answer: `Promise<${operation.startsWith('actions') ? 'ActionInfo' : 'GetterInfo'}[]>`,
        call: `requestData(api, 'GET', ${at}, options)`,
      }
    case 'getNone':
    case 'getOne':
      return {
        ...common,
        name: nameIn(name, 'get'),
        parameters: ['api: Api', ...ids, 'options: Options = {}'],
        answer: `Promise<${answerOf(client, entity, name)}>`,
        call: `requestData(api, 'GET', ${at}, options)`,
      }
    default:
      return runFunction(client, route, common)
  }
}

/** As the manifest says it; a row that it names is one of the server's. */
function answerOf({ api }: Client, entity: Entity, name: string): string {
  const { answer } =
    actionsFact.of(entity, api.project)?.getters.find((one) => one.name === name) ?? {}
  if (answer === undefined) return 'unknown'
  const rows = api.project.entities.some((each) => new RegExp(`\\b${each.name}\\b`).test(answer))
  return rows ? 'unknown' : answer
}

function runFunction(
  client: Client,
  route: KnownRoute,
  common: Pick<OperationView, 'remark' | 'generics'>,
): OperationView {
  const { entity, operation, name } = actionRouteOf(route)
  const { on, input } = actionOf(client.api, entity, name)
  const isOne = operation === 'runOne'
  const isMany = operation === 'runMany'
  const schema = inputSchema(input)
  const type = schema === null ? null : typeText(schema, true)
  const given = type === null ? [] : [`input: ${type}${isGiven(input) ? '' : ' = {}'}`]
  const options =
    isOne && recordPartOf(client, entity) !== null
      ? 'options: ChangeOptions = {}'
      : isMany
        ? `options: ${manyOptions(client, entity)} = {}`
        : writeOptions(client)
  const ids = isMany ? [`ids: ${idsType(client, entity)}`] : idsIn(route.path)
  const members = [...(isMany ? ['ids'] : []), ...(type === null ? [] : ['input'])]
  const body = members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  // One action may be run on many records and on one.
  const function_ = isOne && on === 'many' ? `${name}One` : nameIn(name, 'run')
  return {
    ...common,
    name: function_,
    parameters: ['api: Api', ...ids, ...given, options],
    answer: 'Promise<unknown>',
    call: `requestReturned(api, '${route.method}', ${pathText(route.path)}, options, ${body})`,
  }
}

const isGiven = (input: readonly Column[]): boolean => input.some(isRequired)

/** With `all`, the filters of the list say which records are meant. */
function manyOptions(client: Client, entity: Entity): string {
  const asked = [...client.parts.values()].flatMap((part) => part.asked?.(client, entity) ?? [])
  const filters = asked.filter(({ property }) => property === 'filters')
  const names = [
    ...(hasSearch(entity) ? ['search'] : []),
    ...(entity.match.length > 0 ? ['match'] : []),
    ...filters.map(({ property }) => property),
  ].map((each) => `'${each}'`)
  const base = writeOptions(client).replace(/^options: (\w+) = \{\}$/, '$1')
  const narrowing =
    names.length === 0 ? '' : ` & Pick<${client.name(entity)}Query, ${names.join(' | ')}>`
  return `${base}${narrowing} & { readonly after?: string | undefined }`
}

function idsType(client: Client, entity: Entity): string {
  const members = membersOfRecords(client.api, entity).map(
    ({ name, schema, isRequired: isNeeded }) =>
      `${name}${isNeeded ? '' : '?'}: ${typeText(schema)}`,
  )
  const isNamed = membersOfRecords(client.api, entity).some((each) => each.isRequired)
  const one = `{ ${['id: Id', ...members].join('; ')} }`
  const each = isNamed ? one : members.length === 0 ? 'Id' : `(Id | ${one})`
  return `readonly ${each}[] | 'all'`
}
