import type {
  Access,
  AccessRequest,
  Entity,
  Extension,
  OwnOperation,
  Question,
  Row,
} from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import type { Test } from '../model/sql-test.js'
import { raw, type Sql, sql } from '../sql/sql.js'
import { answersTest, answerTest } from './condition-sql.js'
import { combine } from './condition.js'
import { gateAnswer, shownAttributes } from './gates.js'
import { asSql } from './predicate.js'

export function newRequest(user: unknown): AccessRequest {
  return { user: user ?? null, isMany: false, accesses: new Map() }
}

/** @param given Answers that stand instead of the policy's, in a request of its own. */
export function accessTo(
  request: AccessRequest,
  entity: Entity,
  given: readonly (readonly [Question, unknown])[] = [],
): Access {
  const known = request.accesses.get(entity)
  if (known !== undefined) return known
  const shown = shownAttributes(entity, request.user)
  const access: Access = {
    request,
    entity,
    shown,
    answers: new Map(given),
    parent: null,
    extensions: entity.extensions,
    parameters: noParameters,
    exchange: null,
    ofRow: null,
  }
  request.accesses.set(entity, access)
  return access
}

const noParameters: Access['parameters'] = new Map()

/** Adds the extensions of one request. */
export function extended(access: Access, more: readonly Extension[] = []): Access {
  if (more.length === 0) return access
  return Object.assign({}, access, { extensions: [...access.extensions, ...more] })
}

/** Returns true if a body may write a field. A gate that depends on the record was asked before. */
export function mayWrite(access: Access, gates: 'canStore' | 'canUpdate', name: string): boolean {
  const { policy } = access.entity
  if (access.ofRow?.kept.has(name) === true) return false
  if (getOwn(policy[gates], name) === undefined && isGated(access, name)) return false
  const answer = gateAnswer(policy[gates], name, access.request.user)
  if (typeof answer === 'boolean') return answer
  return gates === 'canUpdate' && access.ofRow?.updatable.has(name) === true
}

const isGated = ({ extensions }: Access, name: string): boolean =>
  extensions.some(({ says }) => says?.gated?.includes(name) === true)

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
  const more: unknown[] = []
  for (const condition of existing(access.extensions, access)) {
    more.push(mustWait(condition) ? await condition : condition)
  }
  if (access.parent !== null) more.push(access.parent.condition)
  return more.length === 0 ? answer : combine('all', [answer, ...more])
}

/** Conditions of every row that exists; without `access`, in a condition that knows no request. */
export function existing(extensions: readonly Extension[], access: Access | null): unknown[] {
  const conditions: unknown[] = []
  for (const extension of extensions) {
    if (extension.visible !== undefined) conditions.push(extension.visible(access))
  }
  return conditions
}

/**
 * `… and `, before what a statement of its own asks of the table called so: it finds no row that
 * extensions hide. Empty where all rows exist.
 */
export function existingAnd(entity: Entity, alias: string): Sql {
  const conditions = existing(entity.extensions, null)
  if (conditions.length === 0) return raw('')
  return sql`${asSql({ entity }, answersTest(entity, conditions, alias)).sql} and `
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
  /** Flags of extensions. */
  readonly more: readonly (readonly [name: string, Test])[]
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
  const more = readsMore(access) ? await writable(access) : []
  const both = (answer: unknown) =>
    test(more.length === 0 ? answer : combine('all', [answer, ...more]))
  return {
    show: seen,
    update: both(update),
    delete: both(remove),
    store: mayHold(access.entity, store),
    more: access.extensions.length === 0 ? noFlags : await moreFlags(access, test),
  }
}

/** Returns true if parameters may have brought rows that requests without them do not see. */
const readsMore = ({ parameters, exchange }: Access): boolean =>
  parameters.size > 0 && exchange === null

/** Lists the conditions on rows for requests that write, which have no parameters of reading. */
function writable(access: Access): Promise<unknown[]> {
  const plain = Object.assign({}, access, { parameters: noParameters })
  return Promise.all(existing(access.extensions, plain))
}

const noFlags: Flags['more'] = []

async function moreFlags(access: Access, test: (answer: unknown) => Test): Promise<Flags['more']> {
  const more: (readonly [string, Test])[] = []
  for (const { name, answer } of flagsBeside(access.extensions)) {
    more.push([name, test(await answer(access))])
  }
  return more
}

/** Lists the flags of operations that features add. */
export const flagsBeside = (
  extensions: readonly Extension[],
): readonly NonNullable<OwnOperation['flag']>[] =>
  extensions.flatMap(({ operations = [] }) => operations.flatMap(({ flag }) => flag ?? []))

/** Not only Promise: libraries have their own. */
const mustWait = (answer: unknown): answer is PromiseLike<unknown> =>
  typeof answer === 'object' && answer !== null && 'then' in answer

/** The id of the signed-in user, or null. */
export function userId({ user }: Pick<AccessRequest, 'user'>): unknown {
  return typeof user === 'object' && user !== null && 'id' in user ? (user as Row)['id'] : null
}
