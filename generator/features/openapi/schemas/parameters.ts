import type { Column, Entity, Match } from '../../../blueprint/types.js'
import { isChoiceOfOne, kindOf } from '../../../kinds/kinds.js'
import { once, type Api } from '../api.js'
import type { Data } from '../facts.js'
import { parameter, schema } from './references.js'
import { relationshipsOf } from './relationship-schemas.js'

type Parameters = Readonly<Record<string, Data>>

const query = (name: string, schema: Data, description?: string): Data => ({
  name,
  in: 'query',
  ...(description === undefined ? {} : { description }),
  schema,
})

/** A list is one text: `a,b`. The server takes it exploded too, as tools send it that do not look here. */
const listed = (name: string, schema: Data): Data => ({ name, in: 'query', explode: false, schema })

const positive = { type: 'integer', minimum: 1 }

/** A parameter of a path: a text that is no id names no record, which is a 404. */
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
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer.',
    schema: { type: 'string' },
  },
  page: query('page', positive, 'Which page, from 1.'),
  perPage: query(
    'perPage',
    positive,
    'Records per page; more than the server allows is as many as it allows.',
  ),
  relatablePerPage: query(
    'relatablePerPage',
    positive,
    'Records per parent of each related collection.',
  ),
  search: query('search', { type: 'string', maxLength: 200 }, 'Text to find.'),
  withMeta: query('withMeta', { type: 'boolean' }, 'Shows the flags of related records too.'),
}

/** Describes the parameters of every repository, once, in the description of the API. */
export const aboutParameters = `\`page\` and \`perPage\` may also be sent as \`page[number]\` and \`page[size]\`, \`include\` as \`related\`, a column to match by as \`filter[name]\`, and lists as \`include[]=a&include[]=b\`.
\`include\` names related entries, each with those below it and with the columns to show: \`owner,comments[body|id].user\`. \`sort\` names what to sort by, first things first; with a minus, descending.
A column finds records that have this value or one of these, with a minus before its name all others that have one; \`null\` is no value. Lists are \`a,b\`; a column that takes one may also be sent several times: \`name=a&name=b\`.`

/** Names that have a meaning of their own: a column that is called so is matched by `filter[…]`. */
export const taken = new Set([
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
export const entityParameters = once((api, entity): Parameters => {
  const name = api.prefix(entity)
  const included = Object.keys(relationshipsOf(api, entity))
  const sorts = sortKeys(entity)
  const pairs = [
    ...(included.length === 0 ? [] : [[`${name}.include`, includeParameter(included)]]),
    ...(sorts.length === 0 ? [] : [[`${name}.sort`, sortParameter(sorts)]]),
    ...matchesOf(api, entity).map(([key, shown, match]) => [
      `${name}.${key}`,
      matchParameter(shown, match),
    ]),
    ...[...api.parts.values()].flatMap((part) =>
      Object.entries(part.listed?.(api, entity) ?? {}).map(([key, data]) => [
        `${name}.${key}`,
        data,
      ]),
    ),
  ]
  return Object.fromEntries(pairs)
})

/**
 * Returns the parameters of records of several repositories: a name with different types takes what
 * any of them does.
 */
export function parametersOfAny(
  api: Api,
  targets: readonly Entity[],
  parametersOf: (api: Api, entity: Entity) => readonly Data[],
): readonly Data[] {
  const [only, ...others] = targets
  if (only !== undefined && others.length === 0) return parametersOf(api, only)
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
  return [...byName.values()].map(([first = ['', undefined], ...more]) => {
    const [ref, data] = first
    if (more.length === 0 || data === undefined) return { $ref: ref }
    const schemas = [first, ...more].map(([, each]) => each?.['schema'] ?? {})
    return { ...data, schema: { anyOf: schemas } }
  })
}

/** The parameters of a list. */
export const indexParameters = once((api, entity): readonly Data[] => {
  const own = Object.keys(entityParameters(api, entity))
  const names = [
    ...['page', 'perPage'],
    ...(hasSearch(entity) ? ['search'] : []),
    ...(api.canInclude.has(entity.key) ? ['relatablePerPage', 'withMeta'] : []),
    ...own,
  ]
  return names.map(parameter)
})

export const hasSearch = ({ searchable, relations }: Entity): boolean =>
  searchable.length > 0 || relations.some((each) => each.searchable.length > 0)

/** The parameters of one record. */
export const showParameters = once((api, entity): readonly Data[] => {
  const name = api.prefix(entity)
  if (Object.keys(relationshipsOf(api, entity)).length === 0) return []
  const paged = api.canInclude.has(entity.key) ? ['relatablePerPage'] : []
  return [...paged, `${name}.include`].map(parameter)
})

function includeParameter(keys: readonly string[]): Data {
  const pattern = `^ *(${keys.join('|')}) *([.[].*)?$`
  return listed('include', { type: 'array', items: { type: 'string', pattern } })
}

export const sortKeys = ({ sort, relations, otherSort = [] }: Entity): readonly string[] => [
  ...sort,
  ...relations.flatMap(({ key, sortable }) => sortable.map((column) => `${key}.${column}`)),
  ...otherSort,
]

function sortParameter(keys: readonly string[]): Data {
  const items = { type: 'string', enum: keys.flatMap((key) => [key, `-${key}`]) }
  return listed('sort', { type: 'array', items, maxItems: 100 })
}

/** A parameter that matches a column, under the name that requests call it. */
export function matchParameter(name: string, match: MatchSchema): Data {
  const isList = 'anyOf' in match.schema || match.schema['type'] === 'array'
  return (isList ? listed : query)(name, match.name === null ? match.schema : schema(match.name))
}

/**
 * The match schema of a column, under the name that all columns like it share; null: no other is
 * like it.
 */
export interface MatchSchema {
  readonly name: string | null
  readonly schema: Data
}

/** Each match column in its two forms: found by, and not. */
function matchesOf(
  api: Api,
  entity: Entity,
): readonly (readonly [key: string, name: string, match: MatchSchema])[] {
  const more = [...api.parts.values()].flatMap((part) => part.takes?.(api, entity) ?? [])
  return entity.match.flatMap((match) => {
    const column = entity.columns.find(({ name }) => name === match.column)
    if (column === undefined) return []
    const { column: name } = match
    const found = matchSchema(column, match.type)
    const isTaken = taken.has(name) || more.includes(name)
    const [key, shown] = isTaken ? [`filter.${name}`, `filter[${name}]`] : [name, name]
    // Tools name types after components, without any minus.
    return [[key, shown, found] as const, [`without.${name}`, `-${name}`, found] as const]
  })
}

/** The schemas of the parameters of a repository, most of which others have too. */
export function matchSchemas(api: Api, entity: Entity): Parameters {
  return Object.fromEntries(
    matchesOf(api, entity).flatMap(([, , { name, schema: data }]) =>
      name === null ? [] : [[name, data]],
    ),
  )
}

/** `null` finds what has no value, whatever the column. */
const orNull = (data: Data): Data => ({ anyOf: [data, { const: 'null' }] })

export function matchSchema(column: Column, type: Match['type']): MatchSchema {
  if (type === 'partial') {
    return { name: 'match.partial', schema: { type: 'string', maxLength: 200 } }
  }
  if (type === 'boolean') {
    return { name: 'match.boolean', schema: { enum: [true, false, 1, 0, 'null'] } }
  }
  if (isChoiceOfOne(column.kind)) {
    const items = { type: 'string', enum: [...(column.options ?? [])] }
    return { name: null, schema: orNull({ type: 'array', items, minItems: 1, maxItems: 1000 }) }
  }
  const [least, most] = howMany[type] ?? [1, 1000]
  const { name, schema: items } = kindOf(column.kind).document.parameter(column)
  const list = { type: 'array', items, minItems: least, maxItems: most }
  const ending = type in howMany ? `.${type}` : ''
  return { name: `match.${name}${ending}`, schema: orNull(list) }
}

const howMany: Readonly<Partial<Record<Match['type'], readonly [number, number]>>> = {
  between: [2, 2],
  datetime: [1, 2],
}
