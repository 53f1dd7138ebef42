import type { Column, Entity } from '../../blueprint/types.js'
import { isChoiceOfOne, kindOf } from '../../kinds/kinds.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { taken } from '../openapi/schemas/parameters.js'
import { schema } from '../openapi/schemas/references.js'
import { hasRead } from '../reads/feature.js'
import {
  comparedColumns,
  comparisonsOf,
  hasLists,
  listWords,
  textWords,
  words,
  type Comparisons,
} from './comparisons.js'

/** One parameter for all comparisons of a column: `filter[price][gte]=5`, which the server takes as `price[gte]=5`, too. */
export const operatorsInDocument: DocumentPart = {
  says: 'Columns that lists are filtered by can be compared: `price[gte]=5&price[lt]=10`, `name[startsWith]=La`, `status[in]=a,b`, `due_at[isNull]=true`. `filter[price][gte]=5` is the same.',
  listed: (api, entity) =>
    Object.fromEntries(
      columnsOf(api, entity).flatMap(([column]) => comparedParameters(column.name, column)),
    ),
  components: (api) => ({
    schemas: Object.fromEntries(
      api.project.entities.flatMap((entity) =>
        columnsOf(api, entity).flatMap(([column]) => comparedSchemas(column)),
      ),
    ),
  }),
}

/**
 * Returns the comparisons of a column by its name in requests; none where it has no comparisons.
 */
export function comparedParameters(
  name: string,
  column: Column,
): readonly (readonly [key: string, parameter: Data])[] {
  const comparisons = comparisonsOf(column)
  return comparisons === null ? [] : parametersOf(name, [column, comparisons])
}

/** The schemas that its parameters refer to. */
export function comparedSchemas(
  column: Column,
): readonly (readonly [name: string, schema: Data])[] {
  const [comparisons, name] = [comparisonsOf(column), nameOf(column)]
  return name === null || comparisons === null
    ? []
    : [[name, comparisonSchema(column, comparisons)]]
}

type Compared = readonly [Column, Comparisons]

const columnsOf = ({ project }: Api, entity: Entity) =>
  hasRead(entity, project, 'operators') ? comparedColumns(entity) : []

/** The schema that columns alike share; null: the column has options of its own. */
function nameOf(column: Column): string | null {
  if (isChoiceOfOne(column.kind)) return null
  return `compare.${kindOf(column.kind).document.parameter(column).name}`
}

/** A column that is called as a parameter is has one for each comparison: `filter[page]` alone is its values. */
function parametersOf(
  called: string,
  [column, comparisons]: Compared,
): readonly (readonly [string, Data])[] {
  const [key, name] = [`compare.${called}`, `filter[${called}]`]
  const shared = nameOf(column)
  const whole = comparisonSchema(column, comparisons)
  if (!taken.has(called)) {
    const said = shared === null ? whole : schema(shared)
    return [[key, { name, in: 'query', style: 'deepObject', explode: true, schema: said }]]
  }
  // Made below.
  const properties = whole['properties'] as Readonly<Record<string, Data>>
  return Object.entries(properties).map(([word, said]) => [
    `${key}.${word}`,
    { name: `${name}[${word}]`, in: 'query', schema: said },
  ])
}

/** @param list Of several values, of one: in an address, it is one text. */
export function comparisonSchema(
  column: Column,
  comparisons: Comparisons,
  list: (value: Data) => Data = listOf,
  value: Data = valueOf(column),
): Data {
  const of = (names: readonly string[], said: Data) => names.map((name) => [name, said] as const)
  const properties = [
    ...of(words[comparisons], value),
    ...(hasLists(comparisons) ? of(listWords, list(value)) : []),
    ...(comparisons === 'text' ? of(textWords, { type: 'string', maxLength: 200 }) : []),
    ...of(['isNull'], { type: 'boolean' }),
  ]
  return {
    type: 'object',
    description: 'All of it holds; what has no value is found by `isNull` alone.',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }
}

/** Tools write no lists into such a parameter: it is one text. */
const listOf = (value: Data): Data => ({
  type: 'string',
  minLength: 1,
  description: 'Values, separated by commas.',
  'x-items': value,
})

export function valueOf({ kind, options = [], ...column }: Column): Data {
  if (isChoiceOfOne(kind)) return { type: 'string', enum: [...options] }
  return kindOf(kind).document.parameter({ options, ...column }).schema
}
