import { canonical, type Column } from '../model/columns.js'
import { combine, type Composite, operands } from './condition.js'
import type { Definition, Row } from '../model/definition.js'
import { columnNamed, type Entity, type Link, targetOf } from '../model/entity.js'
import { fold } from '../features/folding/fold.js'
import { isUuid } from '../model/ids.js'
import {
  type Comparison,
  comparisons,
  type Described,
  isComparison,
  isUnsure,
  mayHold,
  type Node,
  type Place,
  type Quantifier,
  quantifiers,
  type SqlPart,
} from './condition-tree.js'
import {
  PolicyMistake,
  type Untested,
  untestedColumn,
  untestedPivot,
  untestedRelation,
} from './policy-mistake.js'
import { pivotColumn } from '../features/relations/relation-sql.js'

export type { Comparison, Described, Node } from './condition-tree.js'

const always: Node = { op: 'true', key: 'true' }
const never: Node = { op: 'false', key: 'false' }
const unknown: Node = { op: 'unknown', key: 'unknown' }

/** Every row: what literal true means. */
export const everything: Described = { key: 'true', values: [], node: always }
const nothing: Described = { key: 'false', values: [], node: never }

interface Scope {
  readonly entity: Entity
  /** Whose policy answered, for those who wrote it. */
  readonly policy: Pick<Definition, 'name'>
  /** The relation the condition is inside of, when it goes through a table between. */
  readonly through: Link | null
  readonly values: unknown[]
}

/**
 * Splits a policy's answer into structure and values. Anything but true and a condition refuses.
 *
 * Nothing opens by being left out. `undefined`, wherever it stands, is unknown: it admits no row,
 * under `not`, `none`, `isNot` and `every` neither. So is `{}`, and whatever names no column: every
 * row is `true`, and nothing else. A test that says nothing (`{ title: {} }`, `{ owner: {} }`,
 * `{ comments: { some: {} } }`) is a mistake in the policy, and thrown as one; any related record
 * is `{ comments: { some: true } }`.
 */
export function describe(entity: Entity, answer: unknown): Described {
  if (answer === true) return everything
  if (!isCondition(answer)) return nothing
  const values: unknown[] = []
  const node = read({ entity, policy: entity.definition, through: null, values }, answer)
  return { key: node.key, values, node }
}

/** The same of several answers and conditions that must all hold. */
export function describeAll(entity: Entity, conditions: readonly unknown[]): Described {
  const answers = conditions.map((condition) => isCondition(condition) && condition)
  return describe(entity, combine('all', answers))
}

/** Whether an answer is true or a condition; anything else refuses. */
export function isCondition(answer: unknown): answer is object | true {
  return answer === true || (typeof answer === 'object' && answer !== null)
}

function read(scope: Scope, condition: unknown): Node {
  if (condition === true) return always
  if (condition === false) return never
  if (typeof condition !== 'object' || condition === null) return unknown
  if (isComposite(condition)) return readComposite(scope, condition)
  const nodes: Node[] = []
  const start = scope.values.length
  const tests = condition as Row // any other object is columns and relations by name
  for (const name in tests) {
    const node = readMember(scope, name, tests[name])
    if (node.op === 'false') return drop(scope, start, never)
    if (node.op !== 'true') nodes.push(node)
  }
  return nodes.length === 0 ? unknown : joined('all', nodes)
}

function isComposite(condition: object): condition is Composite {
  return operands in condition
}

function readComposite(scope: Scope, { combines, [operands]: parts, texts }: Composite): Node {
  if (combines === 'sql') return readSql(scope, texts ?? [], parts)
  if (combines === 'not') return negated(read(scope, parts[0]))
  const [neutral, decisive] = combines === 'all' ? [always, never] : [never, always]
  const start = scope.values.length
  const nodes: Node[] = []
  for (const part of parts) {
    const node = read(scope, part)
    if (node.op === decisive.op) return drop(scope, start, decisive)
    if (node.op !== neutral.op) nodes.push(node)
  }
  return nodes.length === 0 ? neutral : joined(combines, nodes)
}

/** Forgets the values of what a constant made superfluous. */
function drop(scope: Scope, length: number, node: Node): Node {
  scope.values.length = length
  return node
}

function joined(op: 'any' | 'all', nodes: readonly Node[]): Node {
  const [first] = nodes
  if (first === undefined) return op === 'all' ? always : never
  if (nodes.length === 1) return first
  let key = first.key
  for (let i = 1; i < nodes.length; i++) key += (op === 'all' ? '&' : '|') + (nodes[i]?.key ?? '')
  return { op, nodes, key: `(${key})` }
}

function negated(node: Node): Node {
  if (node.op === 'true') return never
  if (node.op === 'false') return always
  if (node.op === 'unknown') return unknown
  return { op: 'not', node, key: `!${node.key}` }
}

function readMember(scope: Scope, name: string, test: unknown): Node {
  const column = scope.entity.columns.get(name)
  if (column !== undefined) return readColumn(scope, { column, ofPivot: false }, test)
  if (name === 'pivot' && scope.through !== null) return readPivot(scope, scope.through, test)
  const link = scope.entity.links.get(name)
  if (link === undefined) {
    const known = [...scope.entity.columns.keys(), ...scope.entity.links.keys()].join(', ')
    throw mistake(scope, `names '${name}', and there are ${known}`)
  }
  return readRelation(scope, link, test)
}

function readPivot(scope: Scope, through: Link, tests: unknown): Node {
  if (tests === undefined) return unknown
  const nodes = testsOf(scope, untestedPivot, tests).map(([name, test]) => {
    const column = pivotColumn(through, name)
    if (column === undefined) throw mistake(scope, `names '${name}', no column of this pivot`)
    return readColumn(scope, { column, ofPivot: true }, test)
  })
  return joined('all', nodes)
}

/** What is tested of a column, a relation or a pivot; nothing at all would hold for every row. */
function testsOf(scope: Scope, untested: Untested, tests: unknown): [string, unknown][] {
  const entries = isTest(tests) ? Object.entries(tests) : []
  if (entries.length > 0) return entries
  throw mistake(scope, `does not say what to test of '${untested.what}': write ${untested.write()}`)
}

function mistake({ policy, entity }: Scope, text: string): PolicyMistake {
  return new PolicyMistake({ name: policy.name, key: entity.key }, text)
}

function isTest(test: unknown): test is Row {
  return typeof test === 'object' && test !== null && !(test instanceof Date)
}

function readColumn(scope: Scope, place: Place, test: unknown): Node {
  if (test === null) return nullNode(place, false)
  if (!isTest(test)) return compareNode(scope, place, 'equals', test)
  const tests = testsOf(scope, untestedColumn(place.column.name), test)
  return joined(
    'all',
    tests.map(([operator, value]) => readTest(scope, place, operator, value)),
  )
}

function readTest(scope: Scope, place: Place, operator: string, value: unknown): Node {
  if (operator === 'in') return listNode(scope, place, value)
  if (operator === 'notIn') return negated(listNode(scope, place, value))
  if (!isComparison(operator)) {
    throw mistake(scope, `tests '${place.column.name}' with '${operator}'`)
  }
  if (operator === 'folded' && place.column.folded !== null) {
    return foldedNode(scope, place, place.column.folded, String(value))
  }
  if (value === null && operator === 'equals') return nullNode(place, false)
  if (value === null && operator === 'not') return nullNode(place, true)
  return compareNode(scope, place, operator, value)
}

function placeKey({ column, ofPivot }: Place): string {
  return ofPivot ? `pivot.${column.name}` : column.name
}

function nullNode(place: Place, isNegated: boolean): Node {
  const key = `${placeKey(place)}${isNegated ? '!0' : '=0'}`
  return { op: 'null', negated: isNegated, key, column: place.column, ofPivot: place.ofPivot }
}

function compareNode(scope: Scope, place: Place, test: Comparison, value: unknown): Node {
  const { column, ofPivot } = place
  const held = comparisons[test] === 'value' ? heldBy(scope, column, value) : (value ?? null)
  if (held === null || Number.isNaN(held)) return unknown
  const slot = scope.values.push(held) - 1
  const asFloat = isTooFine(column, held)
  const key = `${placeKey(place)} ${test}${asFloat ? '~' : ''}`
  return { op: 'compare', test, slot, key, column, ofPivot, asFloat }
}

/** The databases disagree about a value that no row can have: one finds nothing, the other fails. */
function heldBy(scope: Scope, column: Column, value: unknown): unknown {
  try {
    const held = canonical(column, value)
    if (column.kind !== 'uuid' || held === null || isUuid(String(held))) return held
  } catch {
    // Told below.
  }
  const { name, kind, precision, scale } = column
  const type = kind === 'decimal' ? `decimal(${String(precision)},${String(scale)})` : kind
  throw mistake(scope, `compares '${name}', which is ${type}, with '${String(value)}'`)
}

const isTooFine = ({ kind }: Column, value: unknown): boolean =>
  kind === 'integer' && typeof value === 'number' && (value | 0) !== value

/**
 * Text is looked for where it is stored folded. A row that others wrote may have nothing there yet:
 * of such a row, the database folds what it can.
 */
function foldedNode(scope: Scope, place: Place, folded: string, text: string): Node {
  const stored = { column: columnNamed(scope.entity, folded), ofPivot: false }
  const asWritten = compareNode(scope, place, 'folded', text)
  return joined('any', [
    compareNode(scope, stored, 'contains', fold(text)),
    joined('all', [nullNode(stored, false), asWritten]),
  ])
}

function listNode(scope: Scope, place: Place, value: unknown): Node {
  const { column, ofPivot } = place
  if (!Array.isArray(value)) return unknown
  const list = value.map((item) => heldBy(scope, column, item))
  const known = list.filter((item) => item !== null && !Number.isNaN(item))
  const holey = known.length < list.length
  if (holey && known.length === 0) return unknown
  const slot = scope.values.push(known) - 1
  const asFloat = known.some((item) => isTooFine(column, item))
  const key = `${placeKey(place)} in${holey ? '0' : ''}${asFloat ? '~' : ''}`
  return { op: 'in', slot, holey, key, column, ofPivot, asFloat }
}

function readRelation(scope: Scope, link: Link, tests: unknown): Node {
  if (tests === undefined) return unknown
  const nodes = testsOf(scope, untestedRelation(link, null), tests).map(([name, test]) => {
    const quantifier = Object.hasOwn(quantifiers, name) ? quantifiers[name] : undefined
    if (quantifier === undefined) {
      throw mistake(scope, `tests relation '${link.key}' with '${name}'`)
    }
    if (test === null && !link.toOne) throw mistake(scope, `tests '${link.key}' ${name} null`)
    const { has, ofNull } = quantifier
    return test === null
      ? relatedNode(link, ofNull, always)
      : readRelated(scope, link, has, name, test)
  })
  return joined('all', nodes)
}

function readRelated(scope: Scope, link: Link, has: Quantifier, name: string, test: unknown): Node {
  if (isTest(test) && !isComposite(test)) {
    testsOf(scope, untestedRelation(link, name), test)
  }
  const through = 'pivot' in link.relation ? link : null
  const start = scope.values.length
  const node = read({ ...scope, entity: targetOf(link), through }, test)
  return mayHold(node) || node.op === 'false'
    ? relatedNode(link, has, node)
    : drop(scope, start, unknown)
}

function relatedNode(link: Link, has: Quantifier, node: Node): Node {
  const unsure = isUnsure(node)
  const key = `${link.key} ${has}${unsure ? '?' : ''}(${node.key})`
  return { op: 'related', link, has, node, unsure, key }
}

const textKeys = new WeakMap<readonly string[], string>()

function textKey(texts: readonly string[]): string {
  const known = textKeys.get(texts)
  if (known !== undefined) return known
  const key = JSON.stringify(texts)
  textKeys.set(texts, key)
  return key
}

function readSql(scope: Scope, texts: readonly string[], values: readonly unknown[]): Node {
  if (values.includes(undefined)) return unknown
  let key = `sql${textKey(texts)}`
  const parts = values.map((value): SqlPart => {
    if (isTest(value)) {
      const column = scope.entity.columns.get(String(value['column']))
      if (column === undefined)
        throw mistake(scope, `names no column '${String(value['column'])}' in sql`)
      key += `,${column.name}`
      return { column }
    }
    key += ',?'
    return { slot: scope.values.push(value ?? null) - 1 }
  })
  return { op: 'sql', texts, parts, key: `${key};` }
}
