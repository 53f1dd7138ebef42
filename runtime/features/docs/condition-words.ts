import type { Entity } from '../../model/entity.js'
import { isComposite, isTests } from '../../policy/condition-sql.js'
import { operands } from '../../policy/condition.js'

/** A condition of a policy as people say it: `published_at is set, or owner_id is 3`. */
export function conditionWords({ columns }: Pick<Entity, 'columns'>, condition: unknown): string {
  return wordsOf(condition, (name) => columns.has(name))
}

type IsColumn = (name: string) => boolean

function wordsOf(condition: unknown, isColumn: IsColumn): string {
  if (condition === true) return 'every record'
  if (typeof condition !== 'object' || condition === null) return 'no record'
  if (!isComposite(condition)) {
    const members = Object.entries(condition).map((each) => memberWords(...each, isColumn))
    return members.join(' and ') || 'no record'
  }
  const { combines, [operands]: parts, texts } = condition
  if (combines === 'sql') return `the SQL ${(texts ?? []).join('…').trim()}`
  const words = parts.map((part) => wordsOf(part, isColumn))
  if (combines === 'not') return `not (${words.join()})`
  const others = words.map((each) => (/ (?:and|or) /.test(each) ? `(${each})` : each))
  return others.join(combines === 'any' ? ' or ' : ' and ')
}

/** A column, or what it says of related records; of those no columns are known here. */
function memberWords(name: string, tests: unknown, isColumn: IsColumn): string {
  if (!isTests(tests)) return `${name} ${comparisonWords('equals', tests)}`
  const entries = Object.entries(tests)
  if (name === 'pivot') return entries.map(([key, test]) => pivotWords(key, test)).join(' and ')
  if (isColumn(name) || !entries.every(([word]) => Object.hasOwn(relationWords, word))) {
    return entries.map(([word, value]) => `${name} ${comparisonWords(word, value)}`).join(' and ')
  }
  return entries.map(([word, inner]) => relatedWords(name, word, inner)).join(' and ')
}

const pivotWords = (name: string, test: unknown) =>
  memberWords(`its pivot's ${name}`, test, () => true)

/** Begins the words of a relation's condition: `one of comments`. */
export const relationStart = (name: string, word: string): string =>
  (relationWords[word] ?? '').replace('%', () => name)

function relatedWords(name: string, word: string, inner: unknown): string {
  const start = relationStart(name, word)
  return inner === true ? `${start} exists` : `${start} has (${wordsOf(inner, () => false)})`
}

const relationWords: Readonly<Record<string, string>> = {
  some: 'one of %',
  none: 'none of %',
  every: 'each of %',
  is: 'its %',
  isNot: 'no % of it',
}

const operators: Readonly<Record<string, string>> = {
  equals: 'is',
  not: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  lt: 'is below',
  lte: 'is at most',
  gt: 'is above',
  gte: 'is at least',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  containsAnyCase: 'contains',
}

/** Returns the words of a comparison: `is 3`. @param show How values are written. */
export function comparisonWords(operator: string, value: unknown, show = shown): string {
  if (operator === 'isNull') return value === true ? 'is empty' : 'is set'
  const verb = operators[operator] ?? operator
  if (value === undefined || value === null) return `${verb} nobody's`
  if (Array.isArray(value)) return `${verb} ${value.map(show).join(', ') || 'nothing'}`
  return `${verb} ${show(value)}`
}

function shown(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? `"${value}"` : String(value)
}
