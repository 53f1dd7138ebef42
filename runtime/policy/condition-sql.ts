import type { Parameter } from '../database/types.js'
import { float } from '../kinds/float.js'
import { comparable, inList, textTest, type TextTest } from '../model/column-sql.js'
import { canonical, type Column } from '../model/columns.js'
import type { Entity, Row, Scope } from '../model/entity.js'
import type { Test } from '../model/sql-test.js'
import { identifier, raw, Slot, Sql, sql } from '../sql/sql.js'
import { type Composite, operands, written, type WrittenCondition } from './condition.js'
import { policyFile, PolicyMistake, untestedColumn, ValueMistake } from './policy-mistake.js'
import { all, any, holds, isNull, not, notNull, orUnknown, test } from './predicate.js'

/**
 * Writes a policy's answer as SQL about the table called `alias`. Anything but true and a condition
 * denies.
 *
 * Nothing opens by being left out: `undefined`, `null` and `{}` are unknown, as `Condition` of
 * condition-types.ts says, and a test that says nothing is thrown as a mistake in the policy.
 */
export function answerTest(
  entity: Entity,
  answer: unknown,
  alias = 't0',
  file = policyFile(entity),
): Test {
  return isCondition(answer) && conditionTest(scopeOf(entity, alias, file), answer)
}

/** Returns the test of several answers and conditions that must all hold. */
export function answersTest(entity: Entity, answers: readonly unknown[], alias = 't0'): Test {
  const scope = scopeOf(entity, alias)
  const tests: Test[] = []
  for (const answer of answers) {
    const found = isCondition(answer) && conditionTest(scope, answer)
    if (found === false) return false
    tests.push(found)
  }
  return all(scope, tests)
}

const scopeOf = (entity: Entity, alias: string, file = policyFile(entity)): Scope => ({
  entity,
  alias,
  file,
  depth: 0,
})

/** Returns true if an answer is true or a condition; any other answer denies. */
export function isCondition(answer: unknown): answer is object | true {
  return answer === true || (typeof answer === 'object' && answer !== null)
}

export function conditionTest(scope: Scope, condition: unknown): Test {
  if (typeof condition === 'boolean') return condition
  if (typeof condition !== 'object' || condition === null) return null
  if (isComposite(condition)) return compositeTest(scope, condition)
  if (isWritten(condition)) return condition[written](scope)
  const tests = condition as Row // any other object is columns and relations by name
  const members: Test[] = []
  for (const name in tests) {
    const member = memberTest(scope, name, tests[name])
    if (member === false) return false
    members.push(member)
  }
  const joined = all(scope, members)
  return joined === true ? null : joined // it tests nothing
}

export function isComposite(condition: object): condition is Composite {
  return operands in condition
}

const isWritten = (condition: object): condition is WrittenCondition => written in condition

function compositeTest(scope: Scope, { combines, [operands]: parts, texts }: Composite): Test {
  if (combines === 'sql') return sqlTest(scope, texts ?? [], parts)
  if (combines === 'not') return not(conditionTest(scope, parts[0]))
  if (combines === 'holds') return holds(conditionTest(scope, parts[0]))
  const tests: Test[] = []
  for (const part of parts) {
    const found = conditionTest(scope, part)
    if (found === (combines === 'any')) return found
    tests.push(found)
  }
  return combines === 'any' ? any(scope, tests) : all(scope, tests)
}

function memberTest(scope: Scope, name: string, tests: unknown): Test {
  const column = scope.entity.columns.get(name)
  if (column !== undefined) return columnTest(scope, column, referTo(scope, column), tests)
  if (name === 'pivot' && scope.pivot !== undefined) return scope.pivot(tests)
  const related = scope.entity.relations?.test(scope, name, tests)
  if (related !== undefined) return related
  const known = [...scope.entity.columns.keys(), ...(scope.entity.relations?.names ?? [])]
  throw mistake(scope, `names '${name}', and there are ${known.join(', ')}`)
}

export function referTo({ alias }: Pick<Scope, 'alias'>, { name, enumType }: Column): Sql {
  const place = alias === '' ? identifier(name) : identifier(alias, name)
  return enumType === null ? place : sql`cast(${place} as text)`
}

/**
 * Returns the tests of columns, relations and pivots; an empty object would hold for every row, and
 * throws.
 */
export function testsOf(
  scope: Scope,
  what: string,
  tests: unknown,
  write: () => string,
): [string, unknown][] {
  const entries = isTests(tests) ? Object.entries(tests) : []
  if (entries.length > 0) return entries
  throw mistake(scope, `does not say what to test of '${what}': write ${write()}`)
}

export function mistake({ file, entity }: Scope, text: string): PolicyMistake {
  return new PolicyMistake(file, `a condition on '${entity.key}' ${text}`)
}

export function isTests(tests: unknown): tests is Row {
  const isValue = tests instanceof Date || tests instanceof Slot
  return typeof tests === 'object' && tests !== null && !isValue
}

/** Returns the test of a column that is written as `expression`. */
export function columnTest(scope: Scope, column: Column, expression: Sql, tests: unknown): Test {
  if (!isTests(tests)) return comparisonTest(scope, column, expression, 'equals', tests)
  const entries = testsOf(scope, column.field, tests, () => untestedColumn(column.field))
  return all(
    scope,
    entries.map(([operator, value]) => operatorTest(scope, column, expression, operator, value)),
  )
}

const comparisons: ReadonlyMap<string, Sql> = new Map([
  ['equals', sql`=`],
  ['not', sql`<>`],
  ['lt', sql`<`],
  ['lte', sql`<=`],
  ['gt', sql`>`],
  ['gte', sql`>=`],
])

const textTests: ReadonlySet<string> = new Set([
  'contains',
  'startsWith',
  'endsWith',
  'containsAnyCase',
])

function operatorTest(
  scope: Scope,
  column: Column,
  expression: Sql,
  operator: string,
  value: unknown,
): Test {
  if (operator === 'in') return listTest(scope, column, expression, value)
  if (operator === 'notIn') return not(listTest(scope, column, expression, value))
  if (textTests.has(operator)) {
    if (value === undefined || value === null) return null
    const text = String(value)
    if (operator === 'containsAnyCase') return anyCaseTest(scope, column, expression, text)
    return test(textTest(operator as TextTest, column, expression, text, scope.entity.dialect))
  }
  if (operator === 'isNull') return nullTest(scope, column, expression, value)
  if (!comparisons.has(operator)) {
    throw mistake(scope, `tests '${column.field}' with '${operator}'`)
  }
  return comparisonTest(scope, column, expression, operator, value)
}

/** Returns the test of an extension for a text, or else the database's. */
function anyCaseTest(scope: Scope, column: Column, expression: Sql, text: string): Test {
  const { extensions, dialect } = scope.entity
  for (const extension of extensions) {
    const found = extension.containsAnyCase?.(scope, column, expression, text)
    if (found !== undefined) return found
  }
  const found = textTest('containsAnyCase', column, expression, text, dialect)
  return test(found, { isOwnRow: false })
}

/** The one test that NULL can pass. */
function nullTest(scope: Scope, { field }: Column, expression: Sql, value: unknown): Test {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? isNull(expression) : notNull(expression)
  throw mistake(scope, `tests '${field}' with isNull: '${String(value)}', which is true or false`)
}

function comparisonTest(
  scope: Scope,
  column: Column,
  expression: Sql,
  operator: string,
  value: unknown,
): Test {
  const held = valueOf(scope, column, value instanceof Slot ? value.sample : value)
  if (held === null || Number.isNaN(held)) return null
  const sign = comparisons.get(operator) ?? sql`=`
  const bound = typed(scope, column, held, encoded(scope, column, value, held))
  const isEquality = operator === 'equals' || operator === 'not'
  const place = isEquality ? expression : comparable(column, expression, scope.entity.dialect)
  return test(sql`${place} ${sign} ${bound}`)
}

/** A parameter, or the place of one: a plan has a statement for each class of values. */
function encoded(scope: Scope, column: Column, value: unknown, held: unknown): Parameter | Slot {
  if (!(value instanceof Slot)) return column.encode(held)
  return new Slot(value.at, value.sample, (other) => column.encode(valueOf(scope, column, other)))
}

/**
 * PostgreSQL takes a parameter for what it is compared with: an integer, which 2.5 is not, or where
 * somebody else made the table a smallint, which 40000 is not.
 */
function typed(scope: Scope, { storage }: Column, held: unknown, encoded: Parameter | Slot) {
  if (scope.entity.dialect === 'sqlite') return encoded
  if (storage.isTooFine(held)) return sql`${encoded}::float8`
  const isWhole = storage.type === 'int4' || storage.type === 'int8'
  if (!isWhole || Math.abs(Number(held)) <= mostInSmallint) return encoded
  return sql`${encoded}::${raw(storage.type)}`
}

const mostInSmallint = 32_767

/** Databases disagree about a value that no row can have: one finds nothing, the other fails. */
function valueOf(scope: Scope, column: Column, value: unknown): unknown {
  try {
    return canonical(column, value)
  } catch {
    const { field, kind, precision, scale } = column
    const digits = precision === 0 ? '' : `(${precision},${scale})`
    const type = `${kind}${digits}`
    const text = `compares '${field}', which is ${type}, with '${String(value)}'`
    throw new ValueMistake(scope.file, `a condition on '${scope.entity.key}' ${text}`)
  }
}

function listTest(scope: Scope, column: Column, expression: Sql, value: unknown): Test {
  if (!Array.isArray(value)) return null
  const list = value.map((item) => valueOf(scope, column, item))
  const known = list.filter((item) => item !== null && !Number.isNaN(item))
  const isHoley = known.length < list.length
  if (isHoley && known.length === 0) return null
  const kind = known.some(column.storage.isTooFine) ? float : column.storage
  const found = sql`(${inList(column, expression, known, scope.entity.dialect, kind)})`
  if (!isHoley) return test(found)
  // A value that is not found may be the missing one.
  return test(orUnknown(scope, found), { mayFail: false, isUnsure: true })
}

function sqlTest(scope: Scope, texts: readonly string[], values: readonly unknown[]): Test {
  const found = sqlOf(scope, texts, values)
  return found && test(found, { isOwnRow: false })
}

/** SQL of somebody's own, with values as parameters; null: one of them is undefined. */
export function sqlOf(
  scope: Scope,
  texts: readonly string[],
  values: readonly unknown[],
): Sql | null {
  if (values.some((value) => value === undefined || value === null)) return null
  const parts = values.map((value) => {
    if (!isTests(value)) return freeValue(value, scope)
    const column = scope.entity.columns.get(String(value['column']))
    if (column !== undefined) return referTo(scope, column)
    throw mistake(scope, `names no column '${String(value['column'])}' in sql`)
  })
  return sql`(${new Sql(texts, parts)})`
}

/** No column tells the kind of these values, their own type does. */
function freeValue(value: unknown, { entity }: Scope): Parameter {
  const isSqlite = entity.dialect === 'sqlite'
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return isSqlite ? (value ? 1 : 0) : String(value)
  if (!(value instanceof Date)) return String(value)
  return isSqlite ? value.toISOString().replace('Z', '+00:00') : value.toISOString()
}
