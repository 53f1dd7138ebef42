/**
 * Conditions about one record, and one of each relation that they ask: then every column is a column of one statement, and the
 * database says whether some values tell two conditions apart.
 */

import { relatedOf, targetOf, type Link } from '../../features/relations/entries.js'
import type { Column } from '../../model/columns.js'
import type { Entity } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { columnTest, isComposite, isTests } from '../../policy/condition-sql.js'
import { type Composite, operands } from '../../policy/condition.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { all, any, asSql, not, test } from '../../policy/predicate.js'
import { identifier, raw, sql } from '../../sql/sql.js'

/** A column of a record, as the statement has it. */
export interface Asked {
  readonly column: Column
  readonly entity: Entity
  readonly values: Set<unknown>
}

/** A record by the relations that lead to it. */
export interface Related {
  readonly path: readonly string[]
  readonly entity: Entity
  /** The relation that leads to it; null: it is the record itself. */
  readonly link: Link | null
  /** It may not be there. */
  readonly isOptional: boolean
  readonly columns: Map<string, Asked>
}

/** Records by what the statement calls them. */
export type Records = Map<string, Related>

/** The state of a record: as it is, or as a body would leave it. */
export type State = 'before' | 'after'

export interface Flat {
  readonly records: Records
  /** Fields that a body may change: they have another value after it. */
  readonly changing: ReadonlySet<string>
}

/** It asks what one record of each cannot say: SQL of its own, or one of several repositories. */
export class NotFlat extends Error {}

export function flatTest(flat: Flat, entity: Entity, condition: unknown, state: State): Test {
  return testIn(
    flat,
    { alias: recordOf(flat, state, [], entity, null), entity, path: [], state },
    condition,
  )
}

/** A condition of a record that another one asks about. */
export function relatedIs(flat: Flat, alias: string, condition: unknown): Test {
  const record = flat.records.get(alias)
  if (record === undefined) throw new NotFlat()
  const { entity, path } = record
  const state: State = alias.startsWith('after') ? 'after' : 'before'
  return testIn(flat, { alias, entity, path, state }, condition)
}

interface Here {
  readonly alias: string
  readonly entity: Entity
  readonly path: readonly string[]
  readonly state: State
}

function testIn(flat: Flat, here: Here, condition: unknown): Test {
  if (typeof condition === 'boolean') return condition
  if (typeof condition !== 'object' || condition === null) return null
  if (isComposite(condition)) return compositeTest(flat, here, condition)
  const tests = Object.entries(condition).map(([name, inner]) =>
    memberTest(flat, here, name, inner),
  )
  return tests.length === 0 ? null : all(here, tests)
}

function compositeTest(flat: Flat, here: Here, composite: Composite): Test {
  const { combines, [operands]: parts } = composite
  if (combines === 'sql') throw new NotFlat()
  const tests = parts.map((part) => testIn(flat, here, part))
  if (combines === 'not') return not(tests[0] ?? null)
  return combines === 'any' ? any(here, tests) : all(here, tests)
}

function memberTest(flat: Flat, here: Here, name: string, inner: unknown): Test {
  const { entity, path, state } = here
  const column = entity.columns.get(name)
  if (column !== undefined) {
    const isSame = state === 'before' || path.length > 0 || !flat.changing.has(name)
    const alias =
      isSame && path.length === 0 ? recordOf(flat, 'before', [], entity, null) : here.alias
    return askedOf(flat, here.entity, { alias, column, name: column.name }, inner)
  }
  const link = relatedOf(entity)?.links.get(name)
  if (name === 'pivot') return pivotTest(flat, here, inner)
  if (link === undefined || !isTests(inner)) throw new NotFlat()
  const tests = Object.entries(inner).map(([word, condition]) =>
    relatedTest(flat, here, link, word, condition),
  )
  return all(here, tests)
}

function pivotTest(flat: Flat, here: Here, inner: unknown): Test {
  const link = flat.records.get(here.alias)?.link
  if (link === null || link === undefined || !isTests(inner)) throw new NotFlat()
  const tests = Object.entries(inner).map(([name, each]) => {
    const column = link.pivot.get(name)
    if (column === undefined) throw new NotFlat()
    const place = { alias: here.alias, column, name: `pivot.${name}` }
    return askedOf(flat, here.entity, place, each)
  })
  return all(here, tests)
}

function askedOf(
  { records }: Flat,
  entity: Entity,
  { alias, column, name }: { alias: string; column: Column; name: string },
  tests: unknown,
): Test {
  const record = records.get(alias)
  const known = record?.columns.get(name) ?? { column, entity, values: new Set() }
  record?.columns.set(name, known)
  for (const value of valuesIn(tests)) known.values.add(value)
  const scope = { entity, alias, file: policyFile(entity), depth: 0 }
  const place = identifier(alias, name)
  const expression = column.enumType === null ? place : sql`cast(${place} as text)`
  return columnTest(scope, column, expression, tests)
}

/**
 * Lists the values that a column is compared with; for a border, also the neighbours of the number.
 */
function valuesIn(tests: unknown): readonly unknown[] {
  if (!isTests(tests)) return [tests]
  return Object.values(tests).flatMap((value) => {
    if (typeof value === 'number') return [value - 1, value, value + 1]
    return typeof value === 'boolean' ? [] : [value].flat()
  })
}

function relatedTest(flat: Flat, here: Here, link: Link, word: string, condition: unknown): Test {
  const { state, path, entity } = here
  const { relation } = link
  // A record points at another one after a change of the column that points.
  const isMoved =
    state === 'after' &&
    (path.length > 0 || (relation.kind === 'belongsTo' && flat.changing.has(relation.foreignKey)))
  const next: State = isMoved ? 'after' : 'before'
  const target = targetOf(link)
  const inside = [...path, link.key]
  const alias = recordOf(flat, next, inside, target, link)
  const isOptional = flat.records.get(alias)?.isOptional === true
  const found = testIn(flat, { alias, entity: target, path: inside, state: next }, condition)
  const there = isOptional ? test(sql`${identifier(alias, 'svc.there')} = 1`) : true
  const holds = sql`coalesce(${asSql({ entity }, all(here, [there, found])).sql}, ${raw('false')})`
  if (word === 'every') {
    const fails = sql`not coalesce(${asSql({ entity }, found).sql}, ${raw('false')})`
    return not(all(here, [there, test(fails)]))
  }
  return word === 'none' || word === 'isNot' ? not(test(holds)) : test(holds)
}

function recordOf(
  { records }: Flat,
  state: State,
  path: readonly string[],
  entity: Entity,
  link: Link | null,
): string {
  const alias = [state, ...path].join('.')
  if (!records.has(alias)) {
    records.set(alias, { path, entity, link, isOptional: isOptional(link), columns: new Map() })
  }
  return alias
}

function isOptional(link: Link | null): boolean {
  if (link === null) return false
  const { relation, source } = link
  if (relation.kind !== 'belongsTo') return true
  return source.columns.get(relation.foreignKey)?.nullable !== false
}
