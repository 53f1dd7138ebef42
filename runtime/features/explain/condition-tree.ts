import { conditionTest, isComposite, isTests, testsOf } from '../../policy/condition-sql.js'
import { type Composite, operands } from '../../policy/condition.js'
import { identifier } from '../../sql/sql.js'
import { conditionWords } from '../docs/condition-words.js'
import { isMorph, type Link, relatedOf } from '../relations/entries.js'
import { pivotColumn } from '../relations/relation-sql.js'
import {
  type Asking,
  columnTree,
  comparisons,
  constant,
  nothing,
  type Place,
  type ReadTree,
  single,
  sqlTree,
} from './leaves.js'
import { theirsIn, unquoted } from './origins.js'
import { relatedTree } from './related-tree.js'
import { harmless } from './shown-value.js'
import { joinedVerdict } from './tree.js'

/** Returns the columns that a statement must select to explain a condition about this table. */
export function conditionTree(asking: Asking, place: Place, condition: unknown): ReadTree {
  if (condition === true) return constant('every record', 'yes')
  if (condition === false) return constant('no record', 'no')
  if (typeof condition !== 'object' || condition === null) return constant(nothing, 'unknown')
  if (isComposite(condition)) return compositeTree(asking, place, condition)
  const parts = Object.entries(condition).flatMap(([name, tests]) =>
    memberTrees(asking, below(place, `.${name}`), name, tests),
  )
  return parts.length === 0 ? constant(nothing, 'unknown') : joined('all', parts)
}

const below = (place: Place, step: string): Place =>
  Object.assign({}, place, { at: place.at + step })

function joined(kind: 'all' | 'any' | 'not', parts: readonly ReadTree[]): ReadTree {
  const [first] = parts
  if (kind !== 'not' && parts.length === 1 && first !== undefined) return first
  return (row) => {
    const read = parts.map((part) => part(row))
    const verdicts = read.map(({ verdict }) => verdict ?? 'unknown')
    const verdict = joinedVerdict(kind, verdicts)
    return { kind, words: joints[kind], verdict, decides: false, parts: read }
  }
}

const joints = { all: 'all of', any: 'any of', not: 'not' } as const

function compositeTree(asking: Asking, place: Place, composite: Composite): ReadTree {
  const { combines, [operands]: parts } = composite
  if (combines === 'sql') return sqlTree(asking, place, composite)
  const trees = parts.map((part, index) =>
    conditionTree(asking, below(place, `/${combines}${index}`), part),
  )
  return joined(combines === 'holds' ? 'all' : combines, trees)
}

function memberTrees(
  asking: Asking,
  place: Place,
  name: string,
  tests: unknown,
): readonly ReadTree[] {
  const { scope } = place
  const { entity } = scope
  const column = entity.columns.get(name)
  if (column !== undefined) {
    const from = identifier(scope.alias, column.name)
    return comparisons(tests).map(([operator, value]) => {
      const test = conditionTest(scope, { [name]: single(operator, value) })
      return columnTree(asking, place, { column, from, operator, value, test })
    })
  }
  if (name === 'pivot' && scope.pivot !== undefined) return pivotTrees(asking, place, tests)
  // Asked once as a whole, which says what is wrong with it.
  const whole = conditionTest(scope, { [name]: tests })
  if (!isTests(tests) || whole === null) return [constant(`${name}: ${nothing}`, 'unknown')]
  const entry = relatedOf(entity)?.entries.get(name)
  if (entry !== undefined && isMorph(entry)) return morphTrees(asking, place, entry.links, tests)
  const link = relatedOf(entity)?.links.get(name)
  if (link === undefined) return []
  return Object.entries(tests).map(([word, inner]) => ofLink(asking, place, link, word, inner))
}

function ofLink(asking: Asking, place: Place, link: Link, word: string, inner: unknown): ReadTree {
  const words = conditionWords(link.source, { [link.key]: { [word]: inner } })
  const general = theirsIn(inner, `${place.at}.${word}`, asking.origin)
  const label = conditionWords(link.source, { [link.key]: { [word]: general } })
  const asked = { word, inner, words: harmless(words), label: unquoted(harmless(label)) }
  return relatedTree(asking, place, link, asked, conditionTree)
}

/** A record of one of several repositories: each that is named is a relation like others. */
function morphTrees(
  asking: Asking,
  place: Place,
  links: ReadonlyMap<string, Link>,
  tests: Readonly<Record<string, unknown>>,
): readonly ReadTree[] {
  return Object.entries(tests).map(([word, inner]) => {
    const named = inner === true ? [...links.keys()].map((key) => [key, true] as const) : []
    const asked = isTests(inner) ? Object.entries(inner) : named
    if (asked.length === 0) return constant(`${word}: ${nothing}`, 'unknown')
    const found = asked.flatMap(([key, condition]) => {
      const link = links.get(key)
      const at = below(place, `.${word}.${key}`)
      return link === undefined ? [] : [ofLink(asking, at, link, 'is', condition)]
    })
    return word === 'isNot' ? joined('not', [joined('any', found)]) : joined('any', found)
  })
}

/** Columns of the row that joins the two records. */
function pivotTrees(asking: Asking, place: Place, tests: unknown): readonly ReadTree[] {
  const { scope, pivot } = place
  const test = scope.pivot
  if (test === undefined || pivot === undefined) return []
  if (tests === undefined) return [constant(`its pivot: ${nothing}`, 'unknown')]
  const named = testsOf(scope, 'pivot', tests, () => 'a column of it, or leave pivot out')
  return named.flatMap(([name, inner]) => {
    test({ [name]: inner })
    const column = pivotColumn(pivot.link, name)
    if (column === undefined) return []
    const from = identifier(pivot.alias, name)
    return comparisons(inner).map(([operator, value]) => {
      const tested = test({ [name]: single(operator, value) })
      const asked = { column, title: `its pivot's ${name}`, from, operator, value, test: tested }
      return columnTree(asking, below(place, `.${name}`), asked)
    })
  })
}
