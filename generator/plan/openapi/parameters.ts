import { storageOf } from '../../blueprint/field-kinds.js'
import type { Column, Entity, Match } from '../../blueprint/types.js'
import { parameter, type Api } from './api.js'
import type { Data } from './facts.js'
import { relationshipsOf } from './relationship-schemas.js'

type Parameters = Readonly<Record<string, Data>>

const query = (name: string, schema: Data, description: string): Data => ({
  name,
  in: 'query',
  description,
  schema,
})

const positive = { type: 'integer', minimum: 1 }

/** Of a path: what is no id names no record, which is a 404. */
const inPath = (name: string, description: string): Data => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
})

/** Parameters of every document. */
export const sharedParameters: Parameters = {
  id: inPath('id', 'The id of the record.'),
  relatedId: inPath('relatedId', 'The id of the related record.'),
  emailHash: inPath('emailHash', 'The signature in a verification link.'),
  page: query('page', positive, 'Which page, from 1.'),
  perPage: query(
    'perPage',
    positive,
    'Records per page; more than the server allows is as many as it allows.',
  ),
  'page.number': query('page[number]', positive, 'The same as page.'),
  'page.size': query('page[size]', positive, 'The same as perPage.'),
  relatablePerPage: query(
    'relatablePerPage',
    positive,
    'Records per parent of each related collection.',
  ),
  search: query('search', { type: 'string', maxLength: 200 }, 'Text to find.'),
  withMeta: query('withMeta', { type: 'boolean' }, 'Shows the flags of related records too.'),
}

/** Names that have a meaning of their own: a column that is called so is matched by `filter[…]`. */
const taken = new Set([
  'page',
  'perPage',
  'relatablePerPage',
  'include',
  'related',
  'sort',
  'search',
  'withMeta',
])

/** The parameters of one repository, by the names of their components. */
export function entityParameters(api: Api, entity: Entity): Parameters {
  const name = api.prefix(entity)
  const included = Object.keys(relationshipsOf(api, entity))
  const sorts = sortKeys(entity)
  const pairs = [
    ...(included.length === 0
      ? []
      : ['include', 'related'].map((each) => [
          `${name}.${each}`,
          includeParameter(each, included),
        ])),
    ...(sorts.length === 0 ? [] : [[`${name}.sort`, sortParameter(sorts)]]),
    ...matchesOf(entity).map(([key, shown, schema, about]) => [
      `${name}.${key}`,
      { ...query(shown, schema, about), style: 'form', explode: false },
    ]),
  ]
  return Object.fromEntries(pairs)
}

/** What can be asked of records of several repositories: a name that they take differently takes what any of them does. */
export function parametersOfAny(
  api: Api,
  targets: readonly Entity[],
  parametersOf: (api: Api, entity: Entity) => readonly Data[],
): readonly Data[] {
  const own = Object.assign(
    {},
    ...targets.map((target) => entityParameters(api, target)),
  ) as Parameters
  const refs = new Set(
    targets.flatMap((target) => parametersOf(api, target)).map(({ $ref }) => String($ref)),
  )
  const byName = new Map<string, (readonly [ref: string, data: Data | undefined])[]>()
  for (const ref of refs) {
    const key = ref.split('/').at(-1) ?? ''
    const data = own[key]
    const name = String(data?.['name'] ?? key)
    byName.set(name, [...(byName.get(name) ?? []), [ref, data]])
  }
  return [...byName.values()].map(([first = ['', undefined], ...others]) => {
    const [ref, data] = first
    if (others.length === 0 || data === undefined) return { $ref: ref }
    const schemas = [first, ...others].map(([, each]) => each?.['schema'] ?? {})
    return { ...data, schema: { anyOf: schemas } }
  })
}

/** What a list of a repository is asked with. */
export function indexParameters(api: Api, entity: Entity): readonly Data[] {
  const own = Object.keys(entityParameters(api, entity))
  const hasSearch =
    entity.searchable.length > 0 || entity.relations.some((each) => each.searchable.length > 0)
  const names = [
    ...['page', 'perPage', 'page.number', 'page.size'],
    ...(hasSearch ? ['search'] : []),
    ...(api.canInclude.has(entity.key) ? ['relatablePerPage', 'withMeta'] : []),
    ...own,
  ]
  return names.map(parameter)
}

/** What one record is asked with. */
export function showParameters(api: Api, entity: Entity): readonly Data[] {
  const name = api.prefix(entity)
  if (Object.keys(relationshipsOf(api, entity)).length === 0) return []
  const paged = api.canInclude.has(entity.key) ? ['relatablePerPage'] : []
  return [...paged, `${name}.include`, `${name}.related`].map(parameter)
}

function includeParameter(name: string, keys: readonly string[]): Data {
  const description =
    'Related entries to show, each with those below it and with the columns to show: `owner,comments[body|id].user`.'
  const pattern = `^ *(${keys.join('|')}) *([.[].*)?$`
  const schema = { type: 'array', items: { type: 'string', pattern } }
  return { ...query(name, schema, description), style: 'form', explode: false }
}

const sortKeys = ({ sort, relations }: Entity): readonly string[] => [
  ...sort,
  ...relations.flatMap(({ key, sortable }) => sortable.map((column) => `${key}.${column}`)),
]

function sortParameter(keys: readonly string[]): Data {
  const items = { type: 'string', enum: keys.flatMap((key) => [key, `-${key}`]) }
  const schema = { type: 'array', items }
  const description = 'What to sort by, first things first; with a minus, descending.'
  return { ...query('sort', schema, description), style: 'form', explode: false }
}

/** Each match column in its four forms: found by, and not; plain, and in `filter[…]`. */
function matchesOf(
  entity: Entity,
): readonly (readonly [key: string, name: string, schema: Data, about: string])[] {
  return entity.match.flatMap((match) => {
    const column = entity.columns.find(({ name }) => name === match.column)
    if (column === undefined) return []
    const schema = matchSchema(column, match.type)
    const name = match.column
    const about = `Records whose ${name} is this.`
    const others = `Records whose ${name} is not this.`
    return [
      ...(taken.has(name) ? [] : [[name, name, schema, about] as const]),
      [`-${name}`, `-${name}`, schema, others],
      [`filter.${name}`, `filter[${name}]`, schema, about],
      [`filter.-${name}`, `filter[-${name}]`, schema, others],
    ] as const
  })
}

/** `null` finds what has no value, whatever the column. */
const orNull = (schema: Data): Data => ({ anyOf: [schema, { const: 'null' }] })

function matchSchema(column: Column, type: Match['type']): Data {
  const items = valueSchema(column)
  const list = (least: number, most: number) =>
    orNull({ type: 'array', items, minItems: least, maxItems: most })
  switch (type) {
    case 'partial':
      return { type: 'string', maxLength: 200 }
    case 'boolean':
      return { enum: [true, false, 1, 0, 'null'] }
    case 'between':
      return list(2, 2)
    case 'datetime':
      return list(1, 2)
    default:
      return list(1, 1000)
  }
}

/** One value of a parameter, as the text it is. */
function valueSchema(column: Column): Data {
  const { precision = 0, scale = 0 } = column
  const whole = precision - scale
  switch (storageOf(column)) {
    case 'integer':
      return { type: 'integer', minimum: -2147483648, maximum: 2147483647 }
    case 'float':
      return { type: 'number' }
    case 'decimal':
      return {
        type: 'string',
        pattern: `^-?${whole > 0 ? `\\d{1,${whole}}` : '0'}${scale > 0 ? `(\\.\\d{1,${scale}})?` : ''}$`,
      }
    case 'boolean':
      return { type: 'boolean' }
    case 'uuid':
      return { type: 'string', format: 'uuid' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'dateTime':
      return { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] }
    default:
      return { type: 'string' }
  }
}
