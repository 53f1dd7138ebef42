import { studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import { kindOf, storedAs } from '../../kinds/kinds.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { Api, Components, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation } from '../openapi/operations/operation.js'
import { deniedStatuses, securityOf } from '../openapi/operations/resource-operations.js'
import { json, responses } from '../openapi/operations/statuses.js'
import { idSchema, shownSchema } from '../openapi/schemas/column-schema.js'
import { pageOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { entityParameters, hasSearch } from '../openapi/schemas/parameters.js'
import { parameter, response, schema } from '../openapi/schemas/references.js'
import type { Declared } from './check.js'
import { aggregatesFact } from './check.js'
import {
  groupsOf,
  periods,
  selectableOf,
  selectText,
  type Named,
  type Selectable,
} from './declared.js'
import { aggregatedBy } from './routes.js'
import { aggregateParameters } from './words.js'

export const aggregatesInDocument: DocumentPart = {
  says: '`…/aggregate?groupBy=status&select=count,sum(price)` counts and adds up what the filters of the list find.',
  operation: (api, route) => aggregateOperation(api, route),
  components: () => ({
    parameters: {
      tz: {
        name: 'tz',
        in: 'query',
        description:
          'The time zone whose days, weeks and months are meant, as `Europe/Rome`. Without: UTC.',
        schema: { type: 'string', maxLength: 64, pattern: zonePattern, examples: ['Europe/Rome'] },
      },
    },
  }),
  componentsOf: (api, entity) => {
    const declared = aggregatesFact.of(entity, api.project)
    return declared === null ? {} : componentsOf(api, entity, declared)
  },
}

/** As names of zones are made; which of them there are, the server knows. */
const zonePattern = '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$'

/** `aggregatePosts` */
export function aggregateOperation(api: Api, route: KnownRoute): Operation {
  const entity = aggregatedBy(route)
  const prefix = api.prefix(entity)
  const more = [...api.parts.values()].flatMap((part) => part.narrowing?.(api, entity) ?? [])
  return {
    operationId: `aggregate${studly(entity.key)}`,
    summary: `Count and add up ${entity.plural}`,
    tag: entity.key,
    description:
      'Of the records that the user may see and the filters leave. At most 1,000 groups; more is 400.',
    ...securityOf(api, 'index', [entity]),
    parameters: [...namesOf(api, entity).map(parameter), ...more],
    responses: responses({ 200: response(`${prefix}.aggregate`) }, [
      ...[400, 401],
      ...(more.length === 0 ? [] : deniedStatuses(api)),
    ]),
  }
}

/** Components of its parameters. */
function namesOf(api: Api, entity: Entity): readonly string[] {
  const prefix = api.prefix(entity)
  const isGrouped = (aggregatesFact.of(entity, api.project)?.groupBy ?? []).length > 0
  return [
    ...(isGrouped ? [`${prefix}.groupBy`, 'tz'] : []),
    ...[`${prefix}.select`, `${prefix}.sortGroups`, 'page', 'perPage'],
    ...(hasSearch(entity) ? ['search'] : []),
    ...filtersOf(api, entity),
  ]
}

/** Columns to match by; one that is called as a parameter here is too, alone. */
function filtersOf(api: Api, entity: Entity): readonly string[] {
  const prefix = api.prefix(entity)
  const others = ['include', 'sort', ...aggregateParameters].map((name) => `${prefix}.${name}`)
  return Object.keys(entityParameters(api, entity)).filter((name) => !others.includes(name))
}

function componentsOf(api: Api, entity: Entity, declared: Declared): Components {
  const prefix = api.prefix(entity)
  const groups = groupsOf(declared, entity, api.project)
  const selectable = selectableOf(declared, entity, api.project)
  const groupTexts = groups.flatMap(textsOf)
  const selectTexts = ['count', ...selectable.map(selectText)]
  const sorts = [...groupTexts, ...selectTexts].flatMap((text) => [text, `-${text}`])
  return {
    parameters: {
      ...(groups.length === 0
        ? {}
        : {
            [`${prefix}.groupBy`]: listed('groupBy', groupTexts, 'What makes groups.'),
          }),
      [`${prefix}.select`]: listed(
        'select',
        selectTexts,
        'What is said of each group; without, `count`.',
      ),
      [`${prefix}.sortGroups`]: listed(
        'sort',
        sorts,
        'What `groupBy` and `select` name; with a minus, descending. NULL is last.',
      ),
    },
    responses: {
      [`${prefix}.aggregate`]: json('A page of groups.', pageOf(schema(`${prefix}.group`))),
    },
    schemas: { [`${prefix}.group`]: groupSchema(groups, selectable) },
  }
}

const listed = (name: string, texts: readonly string[], description: string): Data => ({
  name,
  in: 'query',
  explode: false,
  description,
  schema: { type: 'array', items: { type: 'string', enum: [...texts] } },
})

/** `created_at`, `created_at:month` */
export const textsOf = ({ name, column }: Named): readonly string[] => [
  name,
  ...(storedAs(column).isTime ? periods.map((period) => `${name}:${period}`) : []),
]

function groupSchema(groups: readonly Named[], selectable: readonly Selectable[]): Data {
  const inside = (of: string) => {
    const all = selectable.filter((each) => each.function === of)
    const members = all.map((each) => [each.name, valueSchema(each)] as const)
    return all.length === 0 ? [] : [[of, objectOf(Object.fromEntries(members), [])] as const]
  }
  const group = Object.fromEntries(groups.map((each) => [each.name, keySchema(each)]))
  const properties = {
    group: objectOf(group, []),
    count,
    ...Object.fromEntries(['sum', 'avg', 'min', 'max', 'countDistinct'].flatMap(inside)),
  }
  return objectOf(properties, ['group'])
}

const count = { type: 'integer', minimum: 0 }

/**
 * The schema of a group's key; null: records without a value, or whose related record has none, or
 * is not seen.
 */
export function keySchema({ column }: Named): Data {
  const nullable = { ...column, nullable: true }
  if (column.role === 'id') return idSchema(column.kind, true)
  const shown = shownSchema(nullable)
  if (storedAs(column).name !== 'dateTime') return shown
  return {
    anyOf: [shown, kindOf('date').document.shown(nullable)],
    description: 'Of a period: its first day.',
  }
}

/** Null: there is no value in the group. */
export function valueSchema({ function: of, column }: Selectable): Data {
  if (of === 'countDistinct') return count
  if (of === 'min' || of === 'max') return shownSchema({ ...column, nullable: true })
  const { name } = storedAs(column)
  return name === 'integer' || name === 'float'
    ? { type: ['number', 'null'] }
    : { type: ['string', 'null'], pattern: String.raw`^-?\d+(\.\d+)?$` }
}
