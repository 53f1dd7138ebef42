import { isDeepStrictEqual } from 'node:util'
import { relatedOf } from '../../features/relations/entries.js'
import type { Entity, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { passes } from '../../policy/access.js'
import { answerTest, isCondition } from '../../policy/condition-sql.js'
import { all } from '../../policy/predicate.js'
import { type Project, definitionOf } from '../authorization/project.js'
import { apart, type Found, type Samples } from './apart.js'
import { type Flat, flatTest, NotFlat, relatedIs, type State } from './flat.js'
import type { About, Asker, Rule, Telling } from './telling-types.js'
import { gateWords, rowWords, ruleRequest } from './telling-words.js'
import { during } from './weakening.js'

const rules: readonly Rule[] = ['show', 'store', 'update', 'updateTo', 'delete']
const gates = ['canSee', 'canStore', 'canUpdate'] as const

export interface Asked {
  readonly project: Project
  readonly id: string
  readonly samples: Samples
}

/** The smallest request that a weakening answers otherwise; `nothing`: none that the tests' database could hold. */
export async function tellingOf(project: Project, id: string): Promise<Telling> {
  const asked: Asked = { project, id, samples: samplesOf(project) }
  let isReached = false
  let unknown: Telling | null = null
  for (const asker of await askersOf(project)) {
    for (const { repository } of project.repositories) {
      const entity = repository.definition as unknown as Entity
      for (const found of await tellingsIn(asked, entity, asker)) {
        isReached = true
        if (found.kind === 'request') return found
        if (found.kind === 'unknown') unknown = found
      }
    }
  }
  if (unknown !== null) return unknown
  return isReached ? { kind: 'nothing' } : { kind: 'unknown', request: '' }
}

function samplesOf(project: Project): Samples {
  const rows = new Map<string, Promise<Row>>()
  return async ({ key }, field) => {
    const made = rows.get(key) ?? (definitionOf(project, key).make({}) as Promise<Row>)
    rows.set(key, made)
    const edges = project.repositories.find((each) => each.key === key)
    return [(await made)[field] ?? null, ...(getOwn(edges?.fields, field) ?? [])]
  }
}

/** Every role, then users without what they may be without. */
async function askersOf({ roles, decided, repositories }: Project): Promise<readonly Asker[]> {
  const known: Asker[] = []
  for (const [role, make] of Object.entries(roles)) {
    known.push({ role, user: (await make()) as Row | null, without: null })
  }
  const users = repositories.find((each) => each.key === decided.signsIn)
  const entity = users?.repository.definition as unknown as Entity | undefined
  const nullable = [...(entity?.columns.values() ?? [])].filter((column) => column.nullable)
  const others = known.flatMap(({ role, user }) =>
    user === null
      ? []
      : nullable.map(({ field }) => ({ role, user: { ...user, [field]: null }, without: field })),
  )
  return [...known, ...others]
}

async function tellingsIn(asked: Asked, entity: Entity, asker: Asker): Promise<readonly Telling[]> {
  const found: Telling[] = []
  for (const rule of rules) {
    const method = entity.policy[rule]
    if (method === undefined) continue
    const pair = await answersOf(asked, () => method(asker.user))
    if (pair !== null) found.push(await tellingOfRule(asked, { entity, asker, rule }, pair))
  }
  found.push(...(await tellingsOfOthers(asked, entity, asker)))
  found.push(...(await tellingsOfPairs(asked, entity, asker)))
  for (const gate of gates) {
    for (const [field, method] of Object.entries(entity.policy[gate] ?? {})) {
      const pair = await answersOf(asked, () => method?.(asker.user))
      if (pair === null) continue
      const [one, other] = pair.map((answer) => answer === true)
      const isSame = one === other || !(await mayUse(entity, asker, gate))
      const telling = gateWords(
        asked.project,
        { entity, asker, rule: usedBy[gate][0] },
        gate,
        field,
      )
      found.push(isSame ? { kind: 'nothing' } : telling)
    }
  }
  return found
}

/** Operations that an extension adds: only a test of the owner's knows which records they find. */
async function tellingsOfOthers(
  asked: Asked,
  entity: Entity,
  asker: Asker,
): Promise<readonly Telling[]> {
  const found: Telling[] = []
  for (const { name, method, path } of entity.extensions.flatMap((each) => each.operations ?? [])) {
    const pair = await answersOf(asked, () => entity.policy[name]?.(asker.user))
    if (pair === null) continue
    const request = `${method} /api/svc/${entity.key}/:id/${path}`
    const isEqual = isShutOut(entity, asker, 'update') || isDeepStrictEqual(...pair)
    found.push(isEqual ? { kind: 'nothing' } : { kind: 'unknown', request })
  }
  return found
}

/** What is asked of two records: `attachTags`. A rule that looks at neither is decided by the user. */
async function tellingsOfPairs(
  asked: Asked,
  entity: Entity,
  asker: Asker,
): Promise<readonly Telling[]> {
  const found: Telling[] = []
  for (const [name, method] of Object.entries(entity.policy)) {
    const [, verb, relation = ''] = /^(attach|detach|sync)(\w+)$/.exec(name) ?? []
    if (verb === undefined || typeof method !== 'function') continue
    let isLookedAt = false
    const record = new Proxy({}, { get: () => void (isLookedAt = true) })
    const ask = method as (...given: readonly unknown[]) => unknown // each of these is a function
    const pair = await answersOf(asked, () => ask(asker.user, record, record))
    if (pair === null) continue
    const path = `${verb}/${relation.charAt(0).toLowerCase()}${relation.slice(1)}`
    const request = `POST /api/svc/${entity.key}/:id/${path}`
    const isSame = !isLookedAt && isDeepStrictEqual(...pair)
    const isEqual = isShutOut(entity, asker, 'update') || isSame
    found.push(isEqual ? { kind: 'nothing' } : { kind: 'unknown', request })
  }
  return found
}

const usedBy = { canSee: ['show'], canStore: ['store'], canUpdate: ['update', 'show'] } as const

/** A field of a record that one may not have at all has no gate. */
async function mayUse(entity: Entity, asker: Asker, gate: keyof typeof usedBy): Promise<boolean> {
  const rules = usedBy[gate]
  if (rules.some((rule) => isShutOut(entity, asker, rule))) return false
  const answers = await Promise.all(rules.map((rule) => entity.policy[rule]?.(asker.user)))
  return answers.every((answer) => {
    const found = answerTest(entity, answer)
    return found === true || (typeof found === 'object' && found !== null && found.mayHold)
  })
}

type Pair = readonly [unknown, unknown]

/** Without and with the weakening; null: it is not in the way. */
async function answersOf({ id }: Asked, ask: () => unknown): Promise<Pair | null> {
  const { value, reached } = await during(null, ask)
  if (reached.has(id)) return [value, await withWeakening(id, ask)]
  const weak = await during(id, ask)
  return weak.reached.has(id) ? [value, weak.value] : null
}

/** A weakening that fails answers nothing. */
async function withWeakening(id: string, ask: () => unknown): Promise<unknown> {
  try {
    return (await during(id, ask)).value
  } catch {
    return false
  }
}

async function tellingOfRule(asked: Asked, about: About, pair: Pair): Promise<Telling> {
  const { entity, asker, rule } = about
  if (isShutOut(entity, asker, rule) || isDeepStrictEqual(...pair)) return { kind: 'nothing' }
  try {
    for (const state of statesOf(entity, rule)) {
      const found = await rowApart(asked, about, state, pair)
      if (found === 'undecided') return { kind: 'unknown', request: ruleRequest(entity, rule) }
      if (found !== null) return rowWords(asked.project, about, state, found)
    }
    return { kind: 'nothing' }
  } catch (error) {
    if (error instanceof NotFlat) return { kind: 'unknown', request: ruleRequest(entity, rule) }
    throw error
  }
}

/** Where a token is asked for before any policy is. */
function isShutOut({ settings, isPublic }: Entity, { user }: Asker, rule: Rule): boolean {
  return user === null && settings.requiresToken && (rule !== 'show' || isPublic !== true)
}

/** What is asked of the record that a body leaves, and of the one there is. */
function statesOf({ policy }: Entity, rule: Rule): readonly State[] {
  if (rule === 'updateTo') return ['after']
  return rule === 'update' && policy.updateTo === undefined ? ['before', 'after'] : ['before']
}

/** Only records that are reached count: those that one sees and may change, and what one may point at. */
async function rowApart(
  { samples }: Asked,
  { entity, asker: { user }, rule }: About,
  state: State,
  [one, other]: Pair,
): Promise<Found | 'undecided' | null> {
  const isSent = rule === 'store' || state === 'after'
  const changing = new Set(state === 'after' ? writable(entity, user) : [])
  const flat: Flat = { records: new Map(), changing }
  const answer = (given: unknown) => isCondition(given) && given
  const test = (given: unknown, at: State) => flatTest(flat, entity, answer(given), at)
  const tests = [test(one, state), test(other, state)] as const
  const guards = []
  if (rule !== 'show' && rule !== 'store') {
    guards.push(test(await entity.policy.show?.(user), 'before'))
  }
  if (state === 'after' && rule !== 'update') {
    guards.push(test(await entity.policy.update?.(user), 'before'))
  }
  for (const { relation } of rule === 'store' ? (relatedOf(entity)?.links.values() ?? []) : []) {
    if (relation.kind !== 'belongsTo' || relation.filledBy !== 'user') continue
    guards.push(flatTest(flat, entity, { [relation.foreignKey]: user?.['id'] }, 'before'))
  }
  // The record as it is passed, with and without the weakening.
  if (state === 'after' && rule === 'update') guards.push(test(one, 'before'))
  for (const [alias, record] of isSent ? [...flat.records] : []) {
    const { link, path } = record
    if (path.length !== 1 || link?.relation.kind !== 'belongsTo') continue
    const isPointed = rule === 'store' || changing.has(link.relation.foreignKey)
    if (!isPointed) continue
    guards.push(relatedIs(flat, alias, answer(await record.entity.policy.show?.(user))))
  }
  return apart(entity, flat, all({ entity }, guards), tests, samples)
}

const writable = ({ rules: fields, policy }: Entity, user: unknown): readonly string[] =>
  Object.keys(fields).filter((name) => passes(policy.canUpdate, name, user))
