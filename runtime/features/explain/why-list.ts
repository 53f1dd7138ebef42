import { HttpError } from '../../errors.js'
import type { Access, Entity } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { windowOf } from '../../operations/read.js'
import { ask, existing } from '../../policy/access.js'
import { answersTest, answerTest } from '../../policy/condition-sql.js'
import { gateAnswer } from '../../policy/gates.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { asSql } from '../../policy/predicate.js'
import { takenOfList } from '../../query/extension-parameters.js'
import { narrowed } from '../../query/filter.js'
import { parseIndexQuery } from '../../query/parse-query.js'
import type { IndexQuery } from '../../query/query.js'
import { join, raw, read, type Sql, sql, table } from '../../sql/sql.js'
import { conditionWords } from '../docs/condition-words.js'
import { harmless, shownValue } from './shown-value.js'
import type { Why } from './why-types.js'

/** The number of records that are left after a part of a request. */
export interface Stage {
  readonly kind: 'records' | 'parent' | 'policy' | 'gate' | 'filter' | 'search' | 'page'
  readonly words: string
  readonly count: number
  /** There were some before it. */
  readonly empties: boolean
}

export interface WhyList {
  readonly request: string
  readonly repository: string
  readonly user: Why['user']
  /** 'yes' if there is something in the list. */
  readonly answer: 'yes' | 'no'
  readonly status: number
  readonly sentence: string
  readonly stages: readonly Stage[]
  readonly notes: readonly string[]
}

interface Part {
  readonly kind: Stage['kind']
  readonly words: string
  readonly conditions: readonly unknown[]
}

/** Finds the part of a request that empties its list: all counts are one statement. */
export async function whyList(
  access: Access,
  request: string,
  parameters: URLSearchParams,
  user: Why['user'],
): Promise<WhyList> {
  const { entity } = access
  const about = { request: harmless(request), repository: entity.key, user }
  try {
    const [own, query] = await takenOfList(access, parseIndexQuery(parameters))
    const shown = await ask(own, 'show')
    if (user === null && answerTest(entity, shown) === false) {
      return denied(about, 401, `No: the policy shows a guest nothing of ${entity.key} (401).`)
    }
    const notes: string[] = []
    const stages = await countedStages(entity, await partsOf(own, shown, query, notes))
    const paged = [...stages, ...pageOf(entity, query, stages.at(-1)?.count ?? 0)]
    return Object.assign({}, about, { status: 200, stages: paged, notes, ...summary(paged) })
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return denied(about, error.status, `No: ${error.message} (${error.status})`)
  }
}

type About = Pick<WhyList, 'request' | 'repository' | 'user'>

export const denied = (about: About, status: number, sentence: string): WhyList =>
  Object.assign({ answer: 'no' as const, status, sentence, stages: [], notes: [] }, about)

function summary(stages: readonly Stage[]): Pick<WhyList, 'answer' | 'sentence'> {
  const last = stages.at(-1)?.count ?? 0
  if (last > 0) return { answer: 'yes', sentence: `Yes: there are ${last} in the list.` }
  const emptied = stages.find(({ empties }) => empties)
  const why = emptied === undefined ? 'there is no record at all' : reasons[emptied.kind]
  const words = emptied?.kind === 'filter' ? `: ${emptied.words}` : ''
  return { answer: 'no', sentence: `No: the list is empty, because ${why}${words}.` }
}

const reasons: Readonly<Record<Stage['kind'], string>> = {
  records: 'there is no record at all',
  parent: 'none belongs to that record',
  policy: 'the policy shows none of them',
  gate: 'the value that a filter compares is hidden in all of them',
  filter: 'a filter admits none of them',
  search: 'the search finds none of them',
  page: 'there are not so many pages',
}

async function partsOf(
  access: Access,
  shown: unknown,
  query: IndexQuery,
  notes: string[],
): Promise<readonly Part[]> {
  const { entity, extensions, parent } = access
  const asked = [...access.parameters].map(([name, value]) => `, ${name}=${String(value)}`)
  const all = harmless(`all ${entity.key}${asked.join('')}`)
  const conditions = await Promise.all(existing(extensions, access))
  const parts: Part[] = [{ kind: 'records', words: all, conditions }]
  if (parent !== null) {
    parts.push({ kind: 'parent', words: 'of that record', conditions: [parent.condition] })
  }
  const words = shown === true ? 'all' : harmless(conditionWords(entity, shown))
  parts.push({
    kind: 'policy',
    words: `show of ${policyFile(entity)}: ${words}`,
    conditions: [shown],
  })
  for (const value of query.match ?? []) {
    const conditions = await narrowed(access, { match: [value] })
    const name = `${value.negated ? '-' : ''}${value.column}`
    const text = harmless(`${name}=${value.text}`)
    if (conditions.length > 0) {
      parts.push(...gateParts(access, value.column), { kind: 'filter', words: text, conditions })
    } else
      notes.push(`${harmless(name)} is no filter of ${entity.key} for this user: it is ignored.`)
  }
  if (query.search !== null && query.search !== undefined) {
    const conditions = await narrowed(access, { search: query.search })
    parts.push({ kind: 'search', words: `search=${shownValue(query.search)}`, conditions })
    const gated = (entity.searchable ?? []).filter((name) => conditionOfGate(access, name) !== null)
    if (gated.length > 0) {
      const names = gated.map((name) => `canSee.${name}`).join(', ')
      notes.push(`The search finds a text only in rows where ${names} shows it.`)
    }
  }
  return parts
}

/** A filter by a column does not find rows in which a gate hides its value. */
function gateParts(access: Access, column: string): readonly Part[] {
  const condition = conditionOfGate(access, column)
  if (condition === null) return []
  const { entity } = access
  const words = harmless(conditionWords(entity, condition))
  const name = `canSee.${column} of ${policyFile(entity)}`
  return [{ kind: 'gate', words: `${name}: ${words}`, conditions: [condition] }]
}

function conditionOfGate({ entity, request }: Access, column: string): object | null {
  const answer = gateAnswer(entity.policy.canSee, column, request.user)
  return typeof answer === 'object' ? answer : null
}

async function countedStages(entity: Entity, parts: readonly Part[]): Promise<readonly Stage[]> {
  const conditions: unknown[] = []
  const counts = parts.map((part) => {
    conditions.push(...part.conditions)
    return countOf(entity, answersTest(entity, conditions))
  })
  const query = sql`select ${join(counts)} from ${table(entity.table, 't0')}`
  const [row = []] = await read(entity.database, query)
  let before = 0
  return parts.map(({ kind, words }, at) => {
    const count = Number(row[at])
    const empties = count === 0 && before > 0
    before = count
    return { kind, words, count, empties }
  })
}

function countOf(entity: Entity, test: Test): Sql {
  if (test === true) return raw('count(*)')
  if (test === false || test === null) return raw('count(null)')
  return sql`count(case when ${asSql({ entity }, test).sql} then 1 end)`
}

/** Nothing, where the page has records. */
function pageOf(entity: Entity, query: IndexQuery, count: number): readonly Stage[] {
  const { page, perPage, offset } = windowOf(entity, query)
  if (offset < count || count === 0) return []
  const words =
    query.window === undefined
      ? `page ${page} of ${Math.ceil(count / perPage)}`
      : `from record ${offset + 1} of ${count}`
  return [{ kind: 'page', words, count: 0, empties: true }]
}
