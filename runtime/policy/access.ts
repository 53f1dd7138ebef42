import { combine } from './condition.js'
import type { AnyPolicy, Row } from '../model/definition.js'
import { type Described, describe, everything } from './parse-condition.js'
import { type Entity, type Entry, isLink, targetOf } from '../model/entity.js'
import { own } from '../model/own.js'
import type { Part } from '../sql/statement-cache.js'

/** One request: who asks, and what policies have answered so far. Each is asked at most once. */
export interface Request {
  readonly user: unknown
  readonly accesses: Map<Entity, Access>
}

/** What one user may do with the records of one repository. */
export interface Access {
  readonly request: Request
  readonly entity: Entity
  /** What responses show of a record. */
  readonly shown: Shown
  /** Answers of the policy: conditions, booleans, or promises of them. */
  readonly answers: Map<Question, unknown>
  /** Below a parent (`/posts/1/comments`): no other records exist. */
  readonly parent: Parent | null
}

export interface Parent {
  /** Which records are its own. */
  readonly condition: unknown
  /** What a new one of them holds; null: none can be made here. */
  readonly columns: Row | null
}

/** Attributes in order; `key` tells them apart from those of other users and column lists. */
export interface Shown {
  readonly key: string
  readonly names: readonly string[]
}

export type Question = 'show' | 'store' | 'update' | 'delete'

export function newRequest(user: unknown): Request {
  return { user: user ?? null, accesses: new Map() }
}

export function accessTo(request: Request, entity: Entity): Access {
  const known = request.accesses.get(entity)
  if (known !== undefined) return known
  const shown = shownTo(entity, request.user)
  const access: Access = { request, entity, shown, answers: new Map(), parent: null }
  request.accesses.set(entity, access)
  return access
}

const shownWhole = new WeakMap<Entity, Shown>()

function shownTo(entity: Entity, user: unknown): Shown {
  const { attributes, policy } = entity.definition
  if (policy.canSee === undefined) {
    const whole = shownWhole.get(entity) ?? { key: '*', names: attributes }
    shownWhole.set(entity, whole)
    return whole
  }
  const names = attributes.filter((name) => passes(policy.canSee, name, user))
  return { key: names.length === attributes.length ? '*' : names.join(), names }
}

/**
 * Whether a gate (`canSee`, `canStore`, `canUpdate`) lets a field pass; only a gate that exists can
 * refuse.
 */
export function passes(gates: AnyPolicy['canSee'], name: string, user: unknown): boolean {
  const gate = own(gates, name)
  return gate === undefined || gate(user) === true
}

/** Whether a column may be sorted, searched and filtered by. */
export function maySee({ entity, request }: Access, column: string): boolean {
  return passes(entity.definition.policy.canSee, column, request.user)
}

/**
 * Whether a related entry may be asked for; one that reveals a hidden foreign key, of this record or
 * of the related ones, may not.
 */
export function maySeeEntry(access: Access, entry: Entry): boolean {
  const { key, relation } = entry
  if (!maySee(access, key)) return false
  if (relation.kind === 'belongsTo') return maySee(access, relation.foreignKey)
  if (!isLink(entry) || !('morphType' in relation)) return true
  const related = accessTo(access.request, targetOf(entry))
  return (
    maySee(related, relation.foreignKey) &&
    (relation.morphType === null || maySee(related, relation.morphType))
  )
}

/** The policy's answer, asked once per request. A method that is missing refuses. */
export function ask(access: Access, question: Question): unknown {
  const { answers, request, entity } = access
  if (answers.has(question)) return answers.get(question)
  const answer = entity.definition.policy[question]?.(request.user) ?? false
  answers.set(question, answer)
  return answer
}

/** Whether new records may be made: one answer for every flag of the request. */
export async function mayStore(access: Access): Promise<boolean> {
  return (await ask(access, 'store')) === true
}

/**
 * Which rows exist for this user, as the policy put it; below a parent, of its own. In development,
 * says so when that is none.
 */
export async function visibleRows(access: Access): Promise<unknown> {
  const answer = await ask(access, 'show')
  const { definition } = access.entity
  if (
    definition.settings.explain !== undefined &&
    describe(access.entity, answer).key === 'false'
  ) {
    explain(access, 'show', 'answered false')
  }
  return access.parent === null ? answer : combine('all', [answer, access.parent.condition])
}

/**
 * The same of records that are reached through others. Where requests need a token, one that came
 * without reads public repositories, and nothing of the others by way of them.
 */
export async function reachableRows(access: Access): Promise<unknown> {
  const { isPublic = false, settings } = access.entity.definition
  const isStranger = access.request.user === null && settings.requiresToken === true
  return isStranger && !isPublic ? false : visibleRows(access)
}

/** Tells developers which rule emptied a list or refused a request. */
export function explain(
  { entity, request }: Access,
  question: Question,
  did: 'answered false' | 'refused',
): void {
  const { key, name, policy, settings } = entity.definition
  if (settings.explain === undefined) return
  const what = policy[question] === undefined ? `no method '${question}'` : `${question} ${did}`
  settings.explain(`${key}: ${what} for ${userName(request.user)}: app/Policies/${name}Policy.ts`)
}

function userName(user: unknown): string {
  if (typeof user !== 'object' || user === null) return 'a request without a user'
  return 'id' in user ? `user ${String(user.id)}` : 'the user'
}

/** The conditions behind the flags of a resource, and their values. */
export interface Flags {
  readonly show: Described
  readonly update: Described
  readonly delete: Described
  readonly store: boolean
}

/** `show` is true of every row that a filter by it let through. */
export async function flagsOf(access: Access, show: 'visible' | 'asked'): Promise<Flags> {
  const { entity } = access
  return {
    show: show === 'visible' ? everything : describe(entity, await ask(access, 'show')),
    update: describe(entity, await ask(access, 'update')),
    delete: describe(entity, await ask(access, 'delete')),
    store: await mayStore(access),
  }
}

/** No structure and no values. */
export const noPart: Part = { key: '', values: [] }
