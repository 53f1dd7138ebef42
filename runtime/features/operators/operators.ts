import type { Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Extension } from '../../model/entity.js'
import { getOwn, isRecord } from '../../model/get-own.js'
import { nearest } from '../../model/nearest.js'
import type { MatchValue } from '../../model/queries.js'
import { andSeen, maySeeSome } from '../../policy/gates.js'
import { whereSeen } from '../../policy/where-seen.js'
import { badParameter, saysNothing } from '../../query/query.js'
import {
  type Compared,
  type ComparedColumn,
  compareText,
  compareValues,
  isPart,
  lists,
  type Operator,
  operatorsOf,
} from './comparisons.js'

/**
 * For a repository: its match columns may be compared, `price[gte]=5`, `status[in]=open,paid`. All of
 * it holds together, and with the plain filters. NULL is as in SQL: no comparison but `isNull` finds
 * it.
 */
export const operators: Extension = {
  read: {
    filter: {
      takes: (access, name) => comparedIn(access, name) !== null,
      names: (access) =>
        Object.keys(access.entity.match?.types ?? {}).flatMap((name) => {
          return wordsOf(access, name).map((operator) => `${name}[${operator}]`)
        }),
      isScan: ({ where }) =>
        isRecord(where) &&
        Object.values(where).some((tests) => isRecord(tests) && Object.keys(tests).some(isPart)),
      conditions: (access, said, { where }) => [
        ...sentConditions(access, said),
        ...(isRecord(where) ? typedConditions(access, where) : []),
      ],
    },
    askable: (access) =>
      Object.keys(access.entity.match?.types ?? {}).flatMap((key) => {
        const known = wordsOf(access, key)
        return known.length === 0 ? [] : [{ list: 'matches', key, operators: known }]
      }),
  },
}

/** Comparisons that this user may ask of a match column: none of JSON, and of what is unknown. */
export function wordsOf(access: Access, name: string): readonly Operator[] {
  const compared = comparedColumn(access, name)
  return compared === null ? [] : operatorsOf(compared.column, compared.type)
}

/** Null: this user knows no filter of that name. */
export function comparedColumn(access: Access, name: string): ComparedColumn | null {
  const { entity } = access
  const type = getOwn(entity.match?.types, name)
  if (type === undefined || !maySeeSome(access, name)) return null
  return { name, column: columnNamed(entity, name), type }
}

/** `price[gte]`: what stands in the brackets is for it to know, or to refuse. */
function comparedIn(access: Access, name: string): readonly [ComparedColumn, string] | null {
  const start = name.indexOf('[')
  if (start < 1 || !name.endsWith(']')) return null
  const compared = comparedColumn(access, name.slice(0, start))
  return compared && [compared, name.slice(start + 1, -1)]
}

function sentConditions(access: Access, said: readonly MatchValue[]): readonly unknown[] {
  const seen = new Set<string>()
  return said.map(({ column: name, negated, text }) => {
    const found = comparedIn(access, name)
    if (found === null) throw badParameter(name, 'is not known')
    if (seen.has(name)) throw badParameter(name, 'must not be sent more than once')
    seen.add(name)
    const [compared, word] = found
    return andSeen(access, compared.name, comparisonSent(compared, word, { negated, text }))
  })
}

/** `price[gte]=5` as a condition; 400 where it cannot be read. */
export function comparisonSent(
  compared: ComparedColumn,
  word: string,
  { negated, text }: Pick<MatchValue, 'negated' | 'text'>,
): unknown {
  const operator = operatorCalled(compared, word)
  const name = `${compared.name}[${operator}]`
  if (negated) throw badParameter(`-${name}`, minusProblem(operator))
  return conditionOf(name, compared.column, compareText(compared, operator, text))
}

function operatorCalled({ name, column, type }: ComparedColumn, word: string): Operator {
  const known = operatorsOf(column, type)
  const operator = known.find((each) => each === word)
  if (operator !== undefined) return operator
  // The word with the same length wins among equally near ones: `get` is `gte`.
  const far = (each: string) => Math.abs(each.length - word.length)
  const meant = nearest(
    word,
    known.toSorted((one, other) => far(one) - far(other)),
  )
  const guess = meant === undefined ? '' : `: '${name}[${meant}]' is`
  const there =
    known.length === 0 ? 'can not be compared' : `can be compared with ${known.join(', ')}`
  throw badParameter(`${name}[${word}]`, `is not known${guess}. ${name} ${there}`)
}

const opposites: Readonly<Partial<Record<Operator, Operator>>> = {
  equals: 'not',
  not: 'equals',
  in: 'notIn',
  notIn: 'in',
  lt: 'gte',
  lte: 'gt',
  gt: 'lte',
  gte: 'lt',
}

function minusProblem(operator: Operator): string {
  const opposite = opposites[operator]
  const instead = opposite === undefined ? '' : `: the opposite of ${operator} is ${opposite}`
  return `must not begin with a minus${instead}`
}

function conditionOf(name: string, { field }: Column, compared: Compared): unknown {
  if ('problem' in compared) throw badParameter(name, compared.problem)
  return { [field]: compared.test }
}

type Where = Readonly<Record<string, unknown>>

/**
 * `{ price: { gte: 5, in: ['7', '8'] } }`, as GraphQL has checked it. A column that this user may not
 * see is unknown.
 */
function typedConditions(access: Access, where: Where): readonly unknown[] {
  return Object.entries(where).flatMap(([name, tests]) => {
    if (getOwn(access.entity.match?.types, name) === undefined) return []
    const entries = isRecord(tests) ? Object.entries(tests) : []
    if (!isRecord(tests)) throw badParameter(name, 'must be an object of comparisons')
    if (entries.length === 0) throw saysNothing(`where.${name}`)
    return columnConditions(access, name, entries)
  })
}

/** Returns the conditions of one column's comparisons: values that are not read yet. */
export function columnConditions(
  access: Access,
  name: string,
  tests: readonly (readonly [word: string, value: unknown])[],
): readonly unknown[] {
  const compared = comparedColumn(access, name)
  const { strict } = access.entity.settings
  if (compared === null) {
    if (strict !== null) throw strict.parameter(access, name, 'list')
    return []
  }
  return tests.map(([word, value]) =>
    whereSeen(access, [name], comparisonTyped(compared, word, value)),
  )
}

/** Compares with a typed value, or a list of them. */
export function comparisonTyped(compared: ComparedColumn, word: string, value: unknown): unknown {
  const { name, column, type } = compared
  const operator = operatorCalled(compared, word)
  const asked = `${name}[${operator}]`
  if (Array.isArray(value) !== lists.has(operator)) {
    throw badParameter(asked, lists.has(operator) ? 'must be a list' : 'must be one value')
  }
  const values = Array.isArray(value) ? value : [value]
  if (!values.every(isValue)) {
    throw badParameter(asked, 'must be a value: isNull: true finds what has none')
  }
  // A number that is no text may have lost digits before it came here.
  const isLost = values.some((each) => typeof each === 'number' && !isExact(column, each))
  if (isLost) throw badParameter(asked, `must be ${column.storage.says(column)}`)
  return conditionOf(asked, column, compareValues(column, type, operator, values.map(String)))
}

const isExact = (column: Column, value: number): boolean =>
  column.storage.fromJson(value, column) !== undefined

const isValue = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
