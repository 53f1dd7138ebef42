import { singularOf, studly } from '../../blueprint/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import { property } from '../literal.js'
import { isToMany } from '../openapi/api.js'
import { writtenColumns, type Write } from '../openapi/columns.js'
import { parentColumns } from '../openapi/entity-schemas.js'
import type { Data } from '../openapi/facts.js'
import { pivotOperation, pivotSchemas } from '../openapi/pivot-operations.js'
import { relatedOperation, targetsOf } from '../openapi/related-operations.js'
import { resourceOperation } from '../openapi/resource-operations.js'
import type { KnownRoute, Operation as Name } from '../server-routes.js'
import type { Client } from './names.js'
import { bodiesOf, readingOf, type Reading } from './reading.js'
import { objectText } from './type-text.js'

/** A function of a module. */
export interface OperationView {
  readonly remark: string
  readonly name: string
  /** `<const Include extends PostInclude = never>`, or nothing. */
  readonly generics: string
  readonly parameters: readonly string[]
  readonly answer: string
  readonly call: string
}

/** The functions of one route; a route that is none of a repository's has none here. */
export function operationsOf(client: Client, route: KnownRoute): readonly OperationView[] {
  const { does } = route
  const { api } = client
  switch (does.is) {
    case 'resource': {
      const { entity, operation } = does
      const { summary } = resourceOperation(api, entity, operation)
      const bodies = bodiesOf(client, [entity])
      return crud(route, operation, {
        ...{
          summary,
          suffix: '',
          suffixOfOne: '',
          reading: readingOf(client, [entity]),
          isMany: true,
        },
        bodyOf: (write) => bodies[write],
      })
    }
    case 'related': {
      const { entity, operation, key } = does
      const relation = entity.relations.find((each) => each.key === key)
      const { summary, responses } = relatedOperation(api, entity, key, operation)
      // The record itself keeps the one it belongs to from being deleted.
      if (!canSucceed(responses)) return []
      return crud(route, operation, {
        summary,
        suffix: studly(key),
        suffixOfOne: studly(singularOf(key)),
        reading: readingOf(client, targetsOf(api, entity, key), pivotsOf(client, entity, relation)),
        isMany: relation !== undefined && isToMany(relation),
        bodyOf: (write) => bodyBelow(client, entity, key, write),
      })
    }
    case 'pivot':
      return [pivotFunction(client, route, does.entity, does.relation, does.operation)]
    default:
      return []
  }
}

/** Some operations only say why they cannot be done. */
export const canSucceed = (responses: Data) =>
  Object.keys(responses).some((status) => status.startsWith('2'))

interface About {
  readonly summary: string
  /** What the names of functions end with: the relation. */
  readonly suffix: string
  /** And those that take or give one record. */
  readonly suffixOfOne: string
  readonly reading: Reading
  readonly isMany: boolean
  readonly bodyOf: (write: Write) => string
}

const writes = { store: 'store', update: 'replace', patch: 'patch' } as const

function crud(
  route: KnownRoute,
  operation: Name,
  { summary, suffix, suffixOfOne, reading, isMany, bodyOf }: About,
): readonly OperationView[] {
  const remark = remarkOf(route, summary)
  const ids = idsIn(route.path)
  const { generics, record } = reading
  const at = pathText(route.path)
  switch (operation) {
    case 'index': {
      const list = `query: ${reading.listQuery} = {}`
      const common = { generics, parameters: ['api: Api', ...ids, list] }
      const index = {
        ...{ ...common, remark, name: `index${suffix}`, answer: `Promise<Page<${record}>>` },
        call: `request(api, 'GET', ${at}, query)`,
      }
      const each = {
        ...{ ...common, name: `each${suffix}`, answer: `Each<${record}>` },
        remark: remarkOf(route, `${summary}, page after page`),
        call: `walk(api, ${at}, query)`,
      }
      return isMany ? [index, each] : [index]
    }
    case 'show': {
      const query = `query: ${reading.showQuery} = {}`
      const parameters = ['api: Api', ...ids, query]
      const call = `requestData(api, 'GET', ${at}, query)`
      const answer = `Promise<${record}>`
      return [{ remark, name: `show${suffixOfOne}`, generics, parameters, answer, call }]
    }
    case 'delete': {
      const parameters = ['api: Api', ...ids, 'options: Options = {}']
      const call = `request(api, 'DELETE', ${at}, options)`
      const name = suffix === '' ? 'destroy' : `delete${suffixOfOne}`
      return [{ remark, name, generics: '', parameters, answer: 'Promise<void>', call }]
    }
    default: {
      const write = writes[operation]
      const parameters = ['api: Api', ...ids, `body: ${bodyOf(write)}`, 'options: Options = {}']
      const call = `requestData(api, '${route.method}', ${at}, options, body)`
      const answer = `Promise<${reading.plain}>`
      return [{ remark, name: write + suffixOfOne, generics: '', parameters, answer, call }]
    }
  }
}

/** A body below a parent has nothing of the columns that are the parent's. */
function bodyBelow(client: Client, entity: Entity, key: string, write: Write): string {
  const targets = targetsOf(client.api, entity, key)
  const body = bodiesOf(client, targets)[write]
  const relation = entity.relations.find((each) => each.key === key)
  const [target] = targets
  if (relation === undefined || target === undefined) return body
  const written = writtenColumns(client.api, target, write).map(({ name }) => name)
  const without = parentColumns(relation).filter((name) => written.includes(name))
  return without.length === 0
    ? body
    : `Omit<${body}, ${without.map((name) => `'${name}'`).join(' | ')}>`
}

/** The type of the pivot columns of a many-to-many relation; null: it has none. */
export function pivotsOf(
  { api, name }: Client,
  entity: Entity,
  relation: Relation | undefined,
): string | null {
  if (relation === undefined || relation.pivot === null) return null
  const { fields } = api.project.pivot(relation.pivot.table)
  const isEmpty = fields.every(({ hidden }) => hidden)
  return isEmpty ? null : `${name(entity)}${studly(relation.key)}Pivots`
}

function pivotFunction(
  client: Client,
  route: KnownRoute,
  entity: Entity,
  relation: Relation,
  operation: 'attach' | 'sync' | 'detach',
): OperationView {
  const { api, name } = client
  const { key } = relation
  const { summary, responses } = pivotOperation(api, entity, relation, operation)
  const schemas = pivotSchemas(api, entity)
  const body = { attach: 'Attach', sync: 'Sync', detach: 'Detach' }[operation]
  const sent = objectText(schemas[`${api.prefix(entity)}.${key}.${body}`] ?? {}, true)
  const row = `${name(entity)}${studly(key)}Row[]`
  // Callbacks of the hooks answer what they like, with 200.
  const isCalled = operation !== 'sync' && responses['200'] !== undefined
  const answer = isCalled ? 'unknown' : operation === 'detach' ? 'void' : row
  const send = answer === row ? 'requestData' : 'request'
  return {
    remark: remarkOf(route, summary),
    name: operation + studly(key),
    generics: '',
    parameters: ['api: Api', ...idsIn(route.path), `body: ${sent}`, 'options: Options = {}'],
    answer: `Promise<${answer}>`,
    call: `${send}(api, 'POST', ${pathText(route.path)}, options, body)`,
  }
}

const remarkOf = ({ method, path }: KnownRoute, summary: string) =>
  `${summary}: \`${method} ${path}\`.`

export const idsIn = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, id = '']) => `${property(id)}: string`)

/** path`/api/svc/posts/${id}` */
export const pathText = (path: string) => `path\`${path.replaceAll(/:(\w+)/g, '${$1}')}\``
