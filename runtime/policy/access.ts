import type { Access, AccessRequest, Entity, Question, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import type { AnyPolicy } from '../model/policy-and-hooks.js'
import type { Test } from '../model/sql-test.js'
import { answersTest, answerTest } from './condition-sql.js'
import { combine } from './condition.js'

export function newRequest(user: unknown): AccessRequest {
  return { user: user ?? null, accesses: new Map() }
}

/** @param given Answers that stand instead of the policy's, in a request of its own. */
export function accessTo(
  request: AccessRequest,
  entity: Entity,
  given: readonly (readonly [Question, unknown])[] = [],
): Access {
  const known = request.accesses.get(entity)
  if (known !== undefined) return known
  const shown = shownTo(entity, request.user)
  const access: Access = { request, entity, shown, answers: new Map(given), parent: null }
  request.accesses.set(entity, access)
  return access
}

function shownTo({ attributes, policy }: Entity, user: unknown): readonly string[] {
  if (policy.canSee === undefined) return attributes
  const names = attributes.filter((name) => passes(policy.canSee, name, user))
  return names.length === attributes.length ? attributes : names
}

/**
 * Whether a gate (`canSee`, `canStore`, `canUpdate`) lets a field pass; only a gate that exists can
 * deny.
 */
export function passes(gates: AnyPolicy['canSee'], name: string, user: unknown): boolean {
  const gate = getOwn(gates, name)
  return gate === undefined || gate(user) === true
}

/** Whether a column may be sorted, searched and filtered by. */
export function maySee({ entity, request }: Access, column: string): boolean {
  return passes(entity.policy.canSee, column, request.user)
}

/** Whether a body may write a field. */
export function mayWrite(access: Access, gates: 'canStore' | 'canUpdate', name: string): boolean {
  const { policy, credentials } = access.entity
  if (credentials?.mayWrite(access, gates, name) === false) return false
  return passes(policy[gates], name, access.request.user)
}

/** The policy's answer, asked once per request. A method that is missing denies. */
export function ask(access: Access, question: Question): unknown {
  const { answers, request, entity } = access
  if (answers.has(question)) return answers.get(question)
  const answer = entity.policy[question]?.(request.user) ?? false
  answers.set(question, answer)
  return answer
}

/**
 * Whether new records may be made: one answer for every flag of the request. Where `store` is a
 * condition, the record itself decides when it is there.
 */
export async function mayStore(access: Access): Promise<boolean> {
  return mayHold(access.entity, await ask(access, 'store'))
}

function mayHold(entity: Entity, answer: unknown): boolean {
  const found = answerTest(entity, answer)
  return found === true || (typeof found === 'object' && found !== null && found.mayHold)
}

/**
 * Which rows exist for this user: what `show` answered and, below a parent, that they are its own.
 * In development, logs when that is none.
 */
export async function visibleRows(access: Access): Promise<unknown> {
  const answer = await ask(access, 'show')
  const { settings } = access.entity
  if (settings.explain !== undefined && answerTest(access.entity, answer) === false) {
    explain(access, 'show', 'answered false')
  }
  return access.parent === null ? answer : combine('all', [answer, access.parent.condition])
}

/**
 * The same of records that are reached through others. Where requests need a token, one that came
 * without reads public repositories, and nothing of the others by way of them.
 */
export async function reachableRows(access: Access): Promise<unknown> {
  const { isPublic = false, settings } = access.entity
  const isStranger = access.request.user === null && settings.requiresToken
  return isStranger && !isPublic ? false : visibleRows(access)
}

/** The rows with this id that the user may see, and that the answers admit as well. */
export async function visibleWithId(
  access: Access,
  id: unknown,
  ...answers: readonly unknown[]
): Promise<Test> {
  return answersTest(access.entity, [{ id }, await visibleRows(access), ...answers])
}

/** Tells developers which rule emptied a list or denied a request. */
export function explain(
  { entity, request }: Access,
  question: Question,
  did: 'answered false' | 'denied',
): void {
  const { key, name, policy, settings } = entity
  if (settings.explain === undefined) return
  const what = policy[question] === undefined ? `no method '${question}'` : `${question} ${did}`
  settings.explain(`${key}: ${what} for ${userName(request.user)}: app/Policies/${name}Policy.ts`)
}

function userName(user: unknown): string {
  if (typeof user !== 'object' || user === null) return 'a request without a user'
  return 'id' in user ? `user ${String(user.id)}` : 'the user'
}

/** The conditions behind the flags of a resource. */
export interface Flags {
  readonly show: Test
  readonly update: Test
  readonly delete: Test
  readonly store: boolean
}

/**
 * The flags of rows of the table called `alias`; `show` is true of every row that a filter by it
 * let through.
 */
export async function flagsOf(
  access: Access,
  show: 'visible' | 'asked',
  alias = 't0',
): Promise<Flags> {
  const test = (answer: unknown) => answerTest(access.entity, answer, alias)
  const seen = show === 'visible' || test(await ask(access, 'show'))
  const answers: unknown[] = []
  for (const question of ['update', 'delete', 'store'] as const) {
    const answer = ask(access, question)
    // Most policies answer at once, and every request waits here.
    answers.push(mustWait(answer) ? await answer : answer)
  }
  const [update, remove, store] = answers
  return {
    show: seen,
    update: test(update),
    delete: test(remove),
    store: mayHold(access.entity, store),
  }
}

/** Not only Promise: libraries have their own. */
const mustWait = (answer: unknown): answer is PromiseLike<unknown> =>
  typeof answer === 'object' && answer !== null && 'then' in answer

/** The id of the signed-in user, or null. */
export function userId({ user }: Pick<AccessRequest, 'user'>): unknown {
  return typeof user === 'object' && user !== null && 'id' in user ? (user as Row)['id'] : null
}
