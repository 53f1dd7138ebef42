import type { Column, Entity, Match } from '../../blueprint/types.js'
import { isChoiceOfOne, kindOf } from '../../kinds/kinds.js'
import { type Api, type BodyFilter, once } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { matchSchema } from '../openapi/schemas/parameters.js'
import { schema } from '../openapi/schemas/references.js'
import { comparisonsOf, hasLists } from '../operators/comparisons.js'
import { comparisonSchema, valueOf } from '../operators/document.js'
import { hasRead } from '../reads/feature.js'

/** The filter of a list, in the body of a search. */
export interface Asked {
  readonly name: string
  /** As a parameter beside `where`: a value, a list, `null`, or comparisons where the list has these. */
  readonly beside: Data
  /** With a minus before its name; null: it has none. */
  readonly without: Data | null
  /** In `where`: a value, a list, or comparisons; null: nothing there tests it. */
  readonly where: Data | null
}

export type Schemas = Readonly<Record<string, Data>>

interface AskedOf {
  readonly all: readonly Asked[]
  /** Schemas that repositories share. */
  readonly shared: Schemas
  /** Schemas of columns with options of their own. */
  readonly own: Schemas
}

/** Schemas of one repository. */
export const askedOf = once((api: Api, entity: Entity): AskedOf => {
  const made = filtersOf(api, entity).map((filter) => askedBy(api, entity, filter))
  return {
    all: made.map(({ asked }) => asked),
    shared: Object.assign({}, ...made.map(({ shared }) => shared)) as Schemas,
    own: Object.assign({}, ...made.map(({ own }) => own)) as Schemas,
  }
})

function filtersOf(api: Api, entity: Entity): readonly BodyFilter[] {
  const columns = entity.match.flatMap(({ column: name, type }): readonly BodyFilter[] => {
    const column = entity.columns.find((each) => each.name === name)
    return column === undefined ? [] : [{ name, by: { column, type }, hasMinus: true }]
  })
  const more = [...api.parts.values()].flatMap((part) => part.filteredBy?.(api, entity) ?? [])
  return [...columns, ...more]
}

interface Made {
  readonly asked: Asked
  readonly shared: Schemas
  readonly own: Schemas
}

function askedBy(api: Api, entity: Entity, filter: BodyFilter): Made {
  const { name, by, hasMinus, isRelated = false } = filter
  if ('value' in by) {
    const { value } = by
    const asked = { name, beside: value, without: hasMinus ? value : null, where: value }
    return { asked, shared: {}, own: {} }
  }
  const { column } = by
  const schemas = schemasOf(api, entity, name, by)
  const isShared = !isChoiceOfOne(column.kind)
  const { matched, compared, where } = schemas
  const hasComparisons = compared !== null && hasRead(entity, api.project, 'operators')
  const plain = schema(matched.name)
  const value = valueInBody(column)
  const values = { anyOf: [value, several(value)] }
  const asked = {
    name,
    beside: hasComparisons ? { anyOf: [plain, schema(compared.name)] } : plain,
    without: hasMinus ? plain : null,
    where: where === null ? null : isRelated && !hasComparisons ? values : schema(where.name),
  }
  const named = Object.fromEntries(
    [matched, compared, where].flatMap((each) => (each === null ? [] : [[each.name, each.data]])),
  ) as Schemas
  return isShared ? { asked, shared: named, own: {} } : { asked, shared: {}, own: named }
}

interface Named {
  readonly name: string
  readonly data: Data
}

interface ColumnSchemas {
  readonly matched: Named
  readonly compared: Named | null
  readonly where: Named | null
}

/** Under names that columns alike share, or of the repository. */
function schemasOf(
  api: Api,
  entity: Entity,
  name: string,
  { column, type }: { readonly column: Column; readonly type: Match['type'] },
): ColumnSchemas {
  const value = valueInBody(column)
  const match = matchSchema(column, type)
  const isShared = !isChoiceOfOne(column.kind)
  const kind = isShared ? kindOf(column.kind).document.parameter(column).name : name
  const prefix = isShared ? '' : `${api.prefix(entity)}.`
  const comparisons = comparisonsOf(column)
  const matched = {
    name: match.name === null ? `${prefix}asked.${name}` : match.name.replace('match.', 'asked.'),
    data: matchedInBody(match.schema, value),
  }
  if (comparisons === null) return { matched, compared: null, where: null }
  const compared = {
    name: `${prefix}compared.${kind}`,
    data: comparisonSchema(column, comparisons, several, value),
  }
  const list = hasLists(comparisons) ? [several(value)] : []
  const where = {
    name: `${prefix}where.${kind}`,
    data: { anyOf: [value, ...list, schema(compared.name)] },
  }
  return { matched, compared, where }
}

export const several = (value: Data): Data => ({ type: 'array', items: value, minItems: 1 })

/** A number where its text is one: JSON has both. */
function valueInBody(column: Column): Data {
  const value = valueOf(column)
  if (value['type'] !== 'string' || isChoiceOfOne(column.kind)) return value
  const { min: _, max: __, ...plain } = column
  const { anyOf: sent } = kindOf(column.kind).document.sent({ ...plain, nullable: false })
  const numbers = (Array.isArray(sent) ? sent : []).filter((each) =>
    ['integer', 'number'].includes(String((each as Data)['type'])),
  )
  return numbers.length === 0 ? value : { anyOf: [value, ...numbers] }
}

const nothing: Data = { type: 'null' }

/** Turns parameters that are lists, or text, into JSON. */
function matchedInBody({ anyOf, enum: words, ...text }: Data, value: Data): Data {
  if (Array.isArray(words)) return { enum: words.map((each) => (each === 'null' ? null : each)) }
  if (!Array.isArray(anyOf)) return { anyOf: [text, nothing] }
  const [list] = anyOf as readonly Data[]
  const { minItems = 1, maxItems = 1 } = list ?? {}
  const values = { ...several(value), minItems, maxItems }
  return { anyOf: [...(Number(minItems) > 1 ? [] : [value]), values, nothing] }
}
