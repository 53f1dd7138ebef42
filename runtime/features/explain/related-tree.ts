import type { Scope } from '../../model/entity.js'
import { conditionTest } from '../../policy/condition-sql.js'
import { asSql } from '../../policy/predicate.js'
import { identifier, type Sql, sql, table } from '../../sql/sql.js'
import { relationStart } from '../docs/condition-words.js'
import { type Link, targetOf } from '../relations/entries.js'
import { amongExisting, insideOf, relationTest } from '../relations/relation-condition.js'
import { isPivotLink, joinTo, pivotTable } from '../relations/relation-sql.js'
import { type Asking, type Place, type ReadTree, selected, verdictReader } from './leaves.js'
import { marked } from './marks.js'
import type { RelatedFacts, Verdict } from './tree.js'

type Inside = (asking: Asking, place: Place, condition: unknown) => ReadTree

interface Related {
  readonly word: string
  readonly inner: unknown
  readonly words: string
  readonly label: string
}

/**
 * What a condition asks of related records is one leaf: how many there are, for how many the
 * condition holds, and the one that decided with its own tree, joined to the row.
 */
export function relatedTree(
  asking: Asking,
  { scope, at }: Place,
  link: Link,
  asked: Related,
  inside: Inside,
): ReadTree {
  const { word, inner, words, label } = asked
  const test = relationTest(scope, link, { [word]: inner })
  const verdict = verdictReader(asking, scope, test)
  const target = targetOf(link)
  if (!asking.showsRecords(target)) {
    const start = relationStart(link.key, word)
    return (row) => ({
      kind: 'related',
      words: `${start} is one that a condition asks for`,
      verdict: verdict(row),
      decides: false,
    })
  }
  if (!asking.isDetailed) {
    return (row) => ({ kind: 'related', words, label, verdict: verdict(row), decides: false })
  }
  const names = aliases(asking)
  const counts = countsOf(scope, link, inner, word, names)
  asking.joins.push(...counts.joins)
  const [total, matching, id] = [
    counts.total,
    counts.matching,
    identifier(names.first, target.id.name),
  ].map((each) => selected(asking, each))
  const within = {
    scope: insideOf(scope, link, names.first, names.pivot),
    at: `${at}.${word}`,
    pivot: { link, alias: names.pivot },
  }
  const tree = inner === true ? null : inside(asking, within, inner)
  return (row) => {
    const answer = verdict(row)
    const found = row[id ?? 0]
    const isShown = found !== null && found !== undefined && isTold(word, answer)
    const first: RelatedFacts['first'] = isShown
      ? { id: String(found), tree: tree === null ? null : marked(tree(row)) }
      : null
    const related = {
      repository: target.key,
      total: Number(row[total ?? 0]),
      matching: Number(row[matching ?? 0]),
      first,
    }
    return { kind: 'related', words, verdict: answer, decides: false, related }
  }
}

/** One that is there says why there is one, or what the nearest lacks; of none, there is none to show. */
const isTold = (word: string, verdict: Verdict): boolean =>
  word === 'some' || word === 'is' || verdict !== 'yes'

interface Aliases {
  /** The record that decided, and its pivot row. */
  readonly first: string
  readonly pivot: string
  /** Inside the statements that count. */
  readonly counted: string
  readonly countedPivot: string
}

function aliases({ joins }: Asking): Aliases {
  const number = joins.length
  return {
    first: `w${number}`,
    pivot: `wp${number}`,
    counted: `x${number}`,
    countedPivot: `xp${number}`,
  }
}

function countsOf(scope: Scope, link: Link, inner: unknown, word: string, names: Aliases) {
  const { first, pivot, counted, countedPivot } = names
  const inside = insideOf(scope, link, counted, countedPivot)
  const holds = asSql(inside, conditionTest(inside, inner)).sql
  const joined = joinTo(link, scope.alias, counted, countedPivot)
  const on = amongExisting(inside, joined.on)
  const from = sql`from ${joined.tables} where ${on}`
  const id = identifier(counted, targetOf(link).id.name)
  // The first that decides: of `every`, one that is not as it should be.
  const order = word === 'every' ? sql`case when ${holds} then 1 else 0 end` : deciding(holds)
  const one = sql`(select ${id} ${from} order by ${order}, ${id} limit 1)`
  const target = targetOf(link)
  const joins: Sql[] = [
    sql`left join ${table(target.table, first)} on ${identifier(first, target.id.name)} = ${one}`,
  ]
  if (isPivotLink(link)) {
    const between = joinTo(link, scope.alias, first, pivot).on
    const { relatedKey } = link.relation.pivot
    const isIts = sql`${identifier(pivot, relatedKey)} = ${identifier(first, target.id.name)}`
    joins.push(sql`left join ${pivotTable(link, pivot)} on ${between} and ${isIts}`)
  }
  return {
    total: sql`(select count(*) ${from})`,
    matching: sql`(select count(*) ${from} and ${holds})`,
    joins,
  }
}

const deciding = (holds: Sql): Sql => sql`case when ${holds} then 0 else 1 end`
