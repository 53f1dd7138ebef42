import type { Column } from '../../model/columns.js'
import type { MatchType } from '../../model/matching.js'
import { searchProblem, textProblem } from '../../query/parse-query.js'

/** Comparisons of a column, in the words of a policy's conditions. */
export type Operator =
  | 'equals'
  | 'not'
  | 'in'
  | 'notIn'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'isNull'

const ofTruth: readonly Operator[] = ['equals', 'not', 'isNull']
const ofChoice: readonly Operator[] = ['equals', 'not', 'in', 'notIn', 'isNull']
const ofOrder: readonly Operator[] = [
  ...(['equals', 'not', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'isNull'] as const),
]
const ofText: readonly Operator[] = [...ofOrder, 'contains', 'startsWith', 'endsWith']

/**
 * Lists the comparisons of a column by what it holds. The generator's table for documents and types
 * is equal to this one.
 *
 *   true or false             equals not isNull
 *   uuid, one of its options  equals not in notIn isNull
 *   numbers, days, instants   equals not in notIn lt lte gt gte isNull
 *   text                      these, and contains startsWith endsWith
 *   JSON                      none
 */
export function operatorsOf({ kind, storage }: Column, type: MatchType): readonly Operator[] {
  if (storage.isJson || storage.isSecret) return []
  if (kind === 'boolean') return ofTruth
  if (kind === 'uuid' || typeof type !== 'string') return ofChoice
  return storage.isText ? ofText : ofOrder
}

/** The condition of a comparison, or a problem, worded to follow `The … parameter`. */
export type Compared = { readonly test: object } | { readonly problem: string }

/** The compared column, under the name that requests use. */
export interface ComparedColumn {
  readonly name: string
  readonly column: Column
  readonly type: MatchType
}

/**
 * Reads the text of a parameter; lists are `a,b`. A column that holds texts is compared with the
 * text `null`. Any other column has no such value, and the client most likely means NULL.
 */
export function compareText(
  { name, column, type }: ComparedColumn,
  operator: Operator,
  text: string,
): Compared {
  if (isPart(operator) || operator === 'isNull')
    return compareValues(column, type, operator, [text])
  const texts = lists.has(operator) ? listIn(text, type) : [text]
  if (!texts.includes('null') || valueOf(column, type, 'null') === 'null')
    return compareValues(column, type, operator, texts)
  return { problem: `must not be null: ${name}[isNull]=true finds what has no value` }
}

/** Compares with values that are separate. */
export function compareValues(
  column: Column,
  type: MatchType,
  operator: Operator,
  texts: readonly string[],
): Compared {
  for (const text of texts) {
    const problem = isPart(operator) ? searchProblem(text) : textProblem(text)
    if (problem !== null) return { problem }
  }
  const [text = ''] = texts
  if (isPart(operator)) return { test: { [operator]: text } }
  if (operator === 'isNull') return nullTest(text)
  if (texts.length === 0)
    return { problem: 'must have one value or more, with commas between them' }
  if (texts.length > maxValues) return { problem: `must have at most ${maxValues} values` }
  const values = texts.map((each) => valueOf(column, type, each))
  if (values.includes(undefined)) return { problem: `must be ${says(column, type)}` }
  return { test: { [operator]: lists.has(operator) ? values : values[0] } }
}

export const lists: ReadonlySet<Operator> = new Set(['in', 'notIn'])
/** Returns true for a comparison with part of a text, which no index serves. */
export const isPart = (word: string): boolean => parts.has(word)

const parts: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith'])

/** As many as a plain filter takes. */
const maxValues = 1000

/** An option may have a comma in it. */
function listIn(text: string, type: MatchType): readonly string[] {
  if (text === '') return []
  return typeof type !== 'string' && type.includes(text) ? [text] : text.split(',')
}

function nullTest(text: string): Compared {
  const isNull = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]).get(text)
  return isNull === undefined ? { problem: 'must be true or false' } : { test: { isNull } }
}

function valueOf(column: Column, type: MatchType, text: string): unknown {
  if (typeof type !== 'string') return type.includes(text) ? text : undefined
  return column.storage.fromText(text, column)
}

const says = (column: Column, type: MatchType): string =>
  typeof type === 'string' ? column.storage.says(column) : `one of ${type.join(', ')}`
