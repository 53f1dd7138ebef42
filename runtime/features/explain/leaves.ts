import type { RawRow } from '../../database/types.js'
import type { Column } from '../../model/columns.js'
import type { Entity, Scope } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { conditionTest, isTests } from '../../policy/condition-sql.js'
import { type Composite, operands } from '../../policy/condition.js'
import { asSql } from '../../policy/predicate.js'
import { isSame, type Sql } from '../../sql/sql.js'
import { comparisonWords } from '../docs/condition-words.js'
import type { Link } from '../relations/entries.js'
import { harmless, shownValue } from './shown-value.js'
import { type Tree, type Verdict, verdictOf } from './tree.js'

/** A statement about one row that grows: each leaf is a column of it. */
export interface Asking {
  readonly columns: Sql[]
  readonly joins: Sql[]
  /** The user's field that the value at a place of the condition came from. */
  readonly origin: (at: string) => string | null
  /** Returns true if values of a column are shown, and related records are listed. */
  readonly showsColumn: (entity: Entity, column: string) => boolean
  readonly showsRecords: (entity: Entity) => boolean
  /** True if related records are counted, and the first of them is read. */
  readonly isDetailed: boolean
}

/** The table that a condition is about. */
export interface Place {
  readonly scope: Scope
  /** In the whole of it: `/any1.owner_id`. */
  readonly at: string
  /** The pivot row beside the record, and what the statement calls it. */
  readonly pivot?: { readonly link: Link; readonly alias: string }
}

/** Reads the answer out of the row of the statement. */
export type ReadTree = (row: RawRow) => Tree

export const nothing = 'a condition without a value (undefined), which admits no record'

export const constant =
  (words: string, verdict: Verdict): ReadTree =>
  () => ({ kind: 'constant', words, verdict, decides: false })

/** Reads the answer of a statement to a test; constants need none. */
export function verdictReader(asking: Asking, scope: Scope, test: Test): (row: RawRow) => Verdict {
  if (test === null || typeof test === 'boolean') return () => verdictOf(test)
  const place = selected(asking, asSql(scope, test).sql)
  return (row) => verdictOf(row[place])
}

/** Finds the column of an expression in the row, which is selected once. */
export function selected({ columns }: Asking, expression: Sql): number {
  const known = columns.findIndex((each) => isSame(each, expression))
  return known === -1 ? columns.push(expression) - 1 : known
}

/** A fragment of the policy's own is a leaf, with its values where they stand. */
export function sqlTree(asking: Asking, { scope }: Place, composite: Composite): ReadTree {
  const { [operands]: values, texts = [] } = composite
  const verdict = verdictReader(asking, scope, conditionTest(scope, composite))
  const names = values.flatMap((value) => (isTests(value) ? [String(value['column'])] : []))
  if (!names.every((name) => asking.showsColumn(scope.entity, name))) return hiddenTree(verdict)
  const words = values.map((value, index) => {
    const shown = isTests(value) ? String(value['column']) : shownValue(value)
    return `${shown}${texts[index + 1] ?? ''}`
  })
  const text = harmless(`the SQL ${[texts[0] ?? '', ...words].join('').trim()}`)
  return (row) => ({ kind: 'sql', words: text, verdict: verdict(row), decides: false })
}

const hiddenTree =
  (verdict: (row: RawRow) => Verdict): ReadTree =>
  (row) => ({
    kind: 'hidden',
    words: 'a field that is not shown here',
    verdict: verdict(row),
    decides: false,
  })

/** As they are written: `3`, or `{ gt: 3, lt: 5 }`; '' is the short form. */
export function comparisons(tests: unknown): readonly (readonly [string, unknown])[] {
  if (!isTests(tests)) return [['', tests]]
  const entries = Object.entries(tests)
  return entries.length === 0 ? [['', tests]] : entries // an empty one throws where it is compiled
}

export const single = (operator: string, value: unknown) =>
  operator === '' ? value : { [operator]: value }

interface Comparison {
  readonly column: Column
  /** The title, where it differs from the name. */
  readonly title?: string
  /** The SQL of its value. */
  readonly from: Sql
  readonly operator: string
  readonly value: unknown
  readonly test: Test
}

export function columnTree(
  asking: Asking,
  { scope, at }: Place,
  { column, title = column.field, from, operator, value: compared, test }: Comparison,
): ReadTree {
  const verdict = verdictReader(asking, scope, test)
  if (!asking.showsColumn(scope.entity, column.field)) return hiddenTree(verdict)
  const origin = asking.origin(operator === '' ? at : `${at}.${operator}`)
  const show = (each: unknown) =>
    origin === null ? shownValue(each) : `the user's ${origin}, ${shownValue(each)}`
  const words = `${title} ${comparisonWords(operator || 'equals', compared, show)}`
  const label = `${title} ${comparisonWords(operator || 'equals', compared, theirs(origin))}`
  const place = selected(asking, from)
  return (row) => {
    const value = held(column, row[place])
    const facts = { name: title, row: value, shown: shownValue(value) }
    return {
      kind: 'column',
      words,
      label,
      verdict: verdict(row),
      decides: false,
      column: Object.assign(facts, { compared: compared ?? null, from: origin }),
    }
  }
}

/** Writes values where it does not matter which user asks. */
const theirs = (origin: string | null) => (value: unknown) =>
  origin === null ? shownValue(value) : `the user's ${origin}`

/** A value as rows have it; of a password, that there is one. */
function held({ decode, storage }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (storage.isSecret) return '(secret)'
  return decode === null ? value : (decode(value) ?? value)
}
