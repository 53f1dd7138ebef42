import {
  columnsOf,
  isVisible,
  type Context,
  type EntityDraft,
} from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, names, type Shape } from '../../blueprint/fields/shapes.js'
import { nearest, type Finding, type Path } from '../../blueprint/problems.js'
import type { Column } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Declared = {
  readonly groupBy: readonly string[]
  readonly of: readonly string[]
}

const aggregate: Shape = {
  says: 'an object with groupBy and of, which are lists of names',
  example: "{ groupBy: ['…'], of: ['…'] }",
  holds: (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([key, list]) => ['groupBy', 'of'].includes(key) && (list === undefined || names.holds(list)),
    ),
}

/** Checks the aggregates of repositories: records counted and added up. */
export const aggregatesCheck: FeatureCheck = {
  repositoryOptions: { aggregate },
  facts: (_, context) => {
    const asked = context.drafts.filter(({ definition }) => definition.aggregate !== undefined)
    for (const each of asked.flatMap((draft) => wrongIn(draft, context))) context.report(each)
    if (asked.length === 0) return undefined
    return Object.fromEntries(asked.map((draft) => [draft.key, saidOf(draft)]))
  },
}

function saidOf({ definition: { aggregate: said = {} } }: EntityDraft): Declared {
  return { groupBy: said.groupBy ?? [], of: said.of ?? [] }
}

/** Reads a repository's aggregates from the blueprint; null: it has none. */
export const aggregatesFact = factOf<Declared>('aggregates')

export type AggregateFunction = 'sum' | 'avg' | 'min' | 'max' | 'countDistinct'

const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

/** Lists the functions of a column; `runtime/features/aggregates/functions.ts` has the table. */
export function functionsOf(column: Column, isOf: boolean): readonly AggregateFunction[] {
  const { name, isTime } = storedAs(column)
  const isValue = column.role === 'field' || column.role === 'timestamp'
  if (!isOf || !isValue) return ['countDistinct']
  if (numbers.has(name)) return ['sum', 'avg', 'min', 'max', 'countDistinct']
  return isTime ? ['min', 'max', 'countDistinct'] : ['countDistinct']
}

/** JSON is equal in one way to one database, and in another to the other. */
const isGrouped = (column: Column) => isVisible(column) && !storedAs(column).isJson

/** GraphQL has no dots in its names. */
function sameMembers(draft: EntityDraft): readonly Finding[] {
  const { groupBy } = saidOf(draft)
  return groupBy.flatMap((name, index) => {
    const member = name.replaceAll('.', '_')
    if (member === name || !groupBy.includes(member)) return []
    return [
      {
        rule: 'group-through',
        at: [draft.path, 'aggregate', 'groupBy', index],
        message: `'${name}' and '${member}' in aggregate.groupBy of '${draft.path}' would both be '${member}' in GraphQL`,
        fix: 'leave one out',
      },
    ]
  })
}

interface Place {
  readonly draft: EntityDraft
  readonly at: Path
  readonly list: 'groupBy' | 'of'
  /** `category.`, where the column is one of its. */
  readonly through?: string
}

function wrongIn(draft: EntityDraft, context: Context): readonly Finding[] {
  const said = saidOf(draft)
  return [
    ...takenRelation(draft),
    ...sameMembers(draft),
    ...(['groupBy', 'of'] as const).flatMap((list) =>
      said[list].flatMap((name, index) => {
        const place: Place = { draft, list, at: [draft.path, 'aggregate', list, index] }
        if (said[list].indexOf(name) !== index) {
          const message = `'${name}' appears twice in aggregate.${list} of '${draft.path}'`
          return [{ rule: 'listed-twice', at: place.at, message, fix: 'leave one out' }]
        }
        const finding = name.includes('.')
          ? wrongThrough(name, place, context)
          : wrongColumn(name, draft, place)
        return finding === null ? [] : [finding]
      }),
    ),
  ]
}

/** `posts.aggregate` of the client would be two things, and so would `/posts/aggregate` to people. */
function takenRelation({ path, key, relations, morphTo }: EntityDraft): readonly Finding[] {
  const taken = [...relations, ...morphTo].find((each) => each.key === 'aggregate')
  if (taken === undefined) return []
  return [
    {
      rule: 'aggregate-relation',
      at: [path, 'aggregate'],
      message: `'${path}' serves aggregates at '/${key}/aggregate', and has a relation 'aggregate'`,
      fix: `another name for the relation, as 'total'; or leave aggregate out of '${path}'`,
    },
  ]
}

/** @param of Whose column it is. */
function wrongColumn(
  name: string,
  of: EntityDraft,
  { draft, at, list, through = '' }: Place,
): Finding | null {
  const column = columnsOf(of).find((each) => each.name === name)
  const known = columnsOf(of)
    .filter(isGrouped)
    .map((each) => each.name)
  const where = `'${through}${name}' in aggregate.${list} of '${draft.path}'`
  if (column === undefined) {
    // Its problems have been reported.
    if (of.written.has(name)) return null
    const meant = nearest(name, known)
    return {
      ...{ rule: 'unknown-column', at, known },
      message: `${where} is not a column of '${of.path}'`,
      fix:
        meant === undefined
          ? `leave '${through}${name}' out, or declare the field`
          : `'${through}${meant}'`,
    }
  }
  if (isGrouped(column)) return null
  const isHidden = !isVisible(column)
  return {
    ...{ rule: isHidden ? 'hidden-column' : 'not-grouped', at, known },
    message: isHidden
      ? `${where} is hidden in '${of.path}', and a sum would show its values`
      : `${where} is ${column.kind}(): databases do not agree which of its values are equal`,
    fix: `leave '${through}${name}' out`,
  }
}

const toOne = new Set(['belongsTo', 'hasOne', 'morphOne'])

/** `category.name` */
function wrongThrough(name: string, place: Place, { drafts }: Context): Finding | null {
  const { draft, at, list } = place
  const [key = '', inner = '', ...more] = name.split('.')
  const rule = 'group-through'
  const where = `'${name}' in aggregate.${list} of '${draft.path}'`
  if (list === 'of') {
    const fix = `leave '${name}' out`
    return { rule, at, message: `${where} is of another record: only its own are added up`, fix }
  }
  const ones = draft.relations.filter(({ kind }) => toOne.has(kind))
  const relation = ones.find((each) => each.key === key)
  const target = drafts.find((each) => each.key === relation?.target)
  if (relation !== undefined && target !== undefined && more.length === 0) {
    return wrongColumn(inner, target, { ...place, through: `${key}.` })
  }
  const known = ones.map((each) => each.key)
  const meant = nearest(key, known)
  const isMany = draft.relations.some((each) => each.key === key)
  return {
    ...{ rule, at, known },
    message:
      relation !== undefined
        ? `${where} goes through more than one relation`
        : `${where} ${isMany ? 'leads to several records' : `goes through '${key}', which is no relation to one record`}`,
    fix:
      relation === undefined && meant !== undefined ? `'${meant}.${inner}'` : `leave '${name}' out`,
  }
}
