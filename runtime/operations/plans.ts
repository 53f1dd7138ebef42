/**
 * Plans: the statements that show a record or a page, written once for each shape of what the policy
 * answers. A shape is the structure of the conditions, with their columns and operators; values are
 * collected in their order, and put into the statement as parameters.
 *
 *     { owner_id: 7 }            the shape `{owner_id:i}`, with the value 7
 *     any(true, { id: 'a' })     the shape `any(t,{id:s})`, with the value 'a'
 *
 * What no plan can be made for, is read the usual way: answers that are promises, lists, dates, SQL
 * of somebody's own, gates of fields, and queries that ask for more than a page and its order.
 */

import { LRUCache } from 'lru-cache'
import type { Caller } from '../database/caller.js'
import type { Parameter, RawRow, Statement } from '../database/types.js'
import type { Later } from '../later.js'
import type { Access, Entity, Extension, Question } from '../model/entity.js'
import type { IndexQuery, ShowQuery } from '../model/queries.js'
import { accessTo, ask, existing, type Flags, flagsBeside, newRequest } from '../policy/access.js'
import { isComposite } from '../policy/condition-sql.js'
import { combine, type Composite, operands } from '../policy/condition.js'
import { compile, compileSlots, sendSoon, Slot, type Sql } from '../sql/sql.js'
import type { RowReader } from './row-reader.js'

/** A statement whose values are put in later. */
interface Prepared {
  readonly text: string
  readonly parameters: readonly (Parameter | Slot)[]
}

/** A statement before it is compiled. */
export interface Draft {
  readonly page: Sql
  /** Counts the rows on all pages. */
  readonly count: Sql
  readonly reader: RowReader
  readonly flags: Flags
}

export interface Plan extends Pick<Draft, 'reader' | 'flags'> {
  readonly page: Prepared
  readonly count: Prepared
}

/** Writes the statement for an access and its values; null: no row can be seen. */
export type Write = (access: Access, values: readonly (Parameter | Slot)[]) => Promise<Draft | null>

/** A plan, or what makes it. */
export interface Found {
  /** Null: it is not made yet. */
  readonly plan: Plan | null
  /** Values of the request first, then those of the policy. */
  readonly values: readonly unknown[]
  /** Null: there can be none. */
  make(write: Write): Promise<Plan | null>
}

/** By shape; null: no plan can be made. Callers choose the order of lists. */
const plans = new WeakMap<Entity, LRUCache<string, { readonly plan: Plan | null }>>()
const mostPlans = 200

/**
 * Null: it is read the usual way.
 * @param given Values of the request: the id, the page, or a row.
 * @param classes What the statement depends on of them.
 */
export function findPlan(
  access: Access,
  kind: string,
  given: readonly Parameter[],
  classes = given.map(classOf).join(''),
): Found | null {
  const { entity } = access
  if (!mayBePlanned(access)) return null
  const values: unknown[] = [...given]
  const shapes = new Shapes(values, given.length)
  const answers = answersOf(access, shapes)
  if (answers === null) return null
  const key = `${kind} ${classes} ${shapes.text}`
  const known = plansOf(entity).get(key)
  if (known?.plan === null) return null
  return {
    plan: known?.plan ?? null,
    values,
    make: async (write) => {
      const plan = await makePlan(access, answers, { given, values }, write)
      plansOf(entity).set(key, { plan })
      return plan
    },
  }
}

function plansOf(entity: Entity): LRUCache<string, { readonly plan: Plan | null }> {
  const known = plans.get(entity)
  if (known !== undefined) return known
  const made = new LRUCache<string, { readonly plan: Plan | null }>({ max: mostPlans })
  plans.set(entity, made)
  return made
}

function mayBePlanned({ entity, parent, extensions, parameters }: Access): boolean {
  const { policy, settings } = entity
  const isWhole = policy.canSee === undefined && settings.explain === undefined
  return isWhole && parent === null && extensions === entity.extensions && parameters.size === 0
}

const questions = ['show', 'update', 'delete', 'store'] as const

/** The policy's answers, then those of extensions; null: no plan knows one, or somebody has to wait for it. */
function answersOf(access: Access, shapes: Shapes): readonly unknown[] | null {
  const answers: unknown[] = []
  for (const question of questions) {
    const isShow = question === 'show'
    const answer = isShow ? ask(access, question) : early(() => ask(access, question))
    // The usual way explains why nothing is shown.
    if (!shapes.add(answer) || (isShow && answer === false)) return null
    answers.push(answer)
  }
  if (access.extensions.length === 0) return answers
  const more = existing(access.extensions, access)
  for (const { answer } of flagsBeside(access.extensions)) more.push(early(() => answer(access)))
  return more.every((answer) => shapes.add(answer)) ? [...answers, ...more] : null
}

/** No shape has it. */
const failed = Symbol('failed')

/**
 * Asks what the usual way asks only where there are records to show: an empty list does not fail
 * because of it. Where there are some, the usual way asks again, and answers what fails.
 */
function early(asks: () => unknown): unknown {
  try {
    const answer = asks()
    if (answer instanceof Promise) answer.catch(() => {})
    return answer
  } catch {
    return failed
  }
}

/** Returns true if a query of one record asks for no more than the record. */
export const isPlainRecord = (query: ShowQuery): boolean =>
  query.withoutMeta !== true &&
  (query.columns ?? null) === null &&
  query.budget === undefined &&
  isNone(query.include) &&
  isNone(query.unknown) &&
  isNone(query.unread) &&
  isNone(query.values)

/** Returns true if a query of a list asks for no more than a page, in an order of own columns. */
export const isPlainList = ({ entity, extensions }: Access, query: IndexQuery): boolean =>
  isPlainRecord(query) &&
  isNone(query.match) &&
  isNone(query.tests) &&
  (query.search ?? null) === null &&
  query.where === undefined &&
  query.asked === undefined &&
  query.window === undefined &&
  (query.sort ?? []).every(
    ({ key }) =>
      entity.sort?.includes(key) === true &&
      entity.columns.has(key) &&
      extensions.every(({ read }) => read?.order?.keys.includes(key) !== true),
  )

const isNone = (list: readonly unknown[] | undefined): boolean =>
  list === undefined || list.length === 0

/**
 * The cast of a value for PostgreSQL depends on its class: see `typed` of condition-sql. No class is
 * called like an answer without a value (`t`, `f`, `u`, `n`).
 */
function classOf(value: unknown): string {
  const size = Math.abs(Number(value))
  if (typeof value === 'string') return size > 32_767 ? 'S' : 's'
  if (size > 32_767) return size > 2_147_483_647 || !Number.isInteger(value) ? 'd' : 'I'
  return Number.isInteger(value) ? 'i' : 'd'
}

/** Reads the shapes of answers, and collects their values. */
class Shapes {
  text = ''

  constructor(
    readonly values: unknown[],
    /** The index of the first value of an answer. */
    readonly from: number,
  ) {}

  /** False: no plan knows such an answer. */
  add(answer: unknown): boolean {
    const shape = this.#of(answer)
    if (shape !== null) this.text += `${shape},`
    return shape !== null
  }

  #of(answer: unknown): string | null {
    switch (typeof answer) {
      case 'boolean':
        return answer ? 't' : 'f'
      case 'undefined':
        return 'u'
      case 'number':
        return Number.isFinite(answer) ? this.#ofValue(answer) : null
      case 'string':
        return this.#ofValue(answer)
      case 'object':
        return answer === null ? 'n' : this.#ofObject(answer)
      default:
        return null
    }
  }

  /** A value that occurs twice takes one place: equal tests are asked once. */
  #ofValue(value: string | number): string {
    const at = this.values.indexOf(value, this.from)
    if (at !== -1) return `=${at}`
    this.values.push(value)
    return classOf(value)
  }

  #ofObject(answer: object): string | null {
    if (isComposite(answer)) {
      return answer.combines === 'sql' ? null : this.#ofParts(answer)
    }
    if (!isPlain(answer)) return null
    let shape = '{'
    for (const name in answer) {
      const part = this.#of(answer[name])
      if (part === null) return null
      shape += `${name}\0${part},`
    }
    return `${shape}}`
  }

  #ofParts({ combines, [operands]: parts }: Composite): string | null {
    let shape = `${combines}(`
    for (const each of parts) {
      const part = this.#of(each)
      if (part === null) return null
      shape += `${part},`
    }
    return `${shape})`
  }
}

function isPlain(answer: object): answer is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(answer)
  const isObject = prototype === Object.prototype || prototype === null
  return isObject && Object.getOwnPropertySymbols(answer).length === 0
}

/** The answer, with places where it has values. */
function withSlots(answer: unknown, values: readonly unknown[], from: number): unknown {
  const inside = (part: unknown) => withSlots(part, values, from)
  if (typeof answer === 'string' || typeof answer === 'number') {
    const at = values.indexOf(answer, from)
    return at === -1 ? answer : new Slot(at, answer)
  }
  if (typeof answer !== 'object' || answer === null) return answer
  if (isComposite(answer)) return combine(answer.combines, answer[operands].map(inside))
  return Object.fromEntries(Object.entries(answer).map(([name, part]) => [name, inside(part)]))
}

/** Null: no row can be seen, or the statement is not what it is without places. */
async function makePlan(
  access: Access,
  answers: readonly unknown[],
  { given, values }: { readonly given: readonly Parameter[]; readonly values: readonly unknown[] },
  write: Write,
): Promise<Plan | null> {
  const usual = await write(access, given)
  if (usual === null) return null
  const slotted = answers.map((answer) => withSlots(answer, values, given.length))
  const places = given.map((value, at) => new Slot(at, value))
  // Code that takes a place for a value throws; the statement with values was written before.
  const draft = await write(accessWith(access, slotted), places).catch(() => null)
  if (draft === null) return null
  const { reader, flags } = draft
  const { dialect } = access.entity
  const page = compileSlots(draft.page, dialect)
  const count = compileSlots(draft.count, dialect)
  const isSame =
    writesTheSame(page, compile(usual.page, dialect), values) &&
    writesTheSame(count, compile(usual.count, dialect), values)
  return isSame ? { page, count, reader, flags } : null
}

/** A request of its own, whose policy has answered. */
function accessWith({ entity, request }: Access, answers: readonly unknown[]): Access {
  const said = questions.map((question, at): readonly [Question, unknown] => [
    question,
    answers[at],
  ])
  const made = accessTo(newRequest(request.user), entity, said)
  const left = answers.slice(questions.length)
  const take = () => left.shift()
  const visible = new Map(entity.extensions.filter(isVisible).map((each) => [each, take()]))
  const extensions = entity.extensions.map((each): Extension => {
    const shown = visible.has(each) ? { visible: () => visible.get(each) } : {}
    const operations = each.operations?.map((operation) => {
      if (operation.flag === undefined) return operation
      const answer = take()
      const flag = { name: operation.flag.name, answer: () => answer }
      return Object.assign({}, operation, { flag })
    })
    return Object.assign({}, each, shown, operations && { operations })
  })
  return Object.assign({}, made, { extensions })
}

const isVisible = ({ visible }: Extension) => visible !== undefined

function writesTheSame(made: Prepared, usual: Prepared, values: readonly unknown[]): boolean {
  const bound = bind(made.parameters, values)
  return (
    made.text === usual.text &&
    bound.length === usual.parameters.length &&
    bound.every((parameter, at) => Object.is(parameter, usual.parameters[at]))
  )
}

export const bind = (
  parameters: readonly (Parameter | Slot)[],
  values: readonly unknown[],
): readonly Parameter[] =>
  parameters.map((parameter) =>
    parameter instanceof Slot ? parameter.encode(values[parameter.at]) : parameter,
  )

/** Runs a statement of a plan, which has so many rows at most. */
export function sendPlan(
  { database }: Entity,
  { text, parameters }: Prepared,
  values: readonly unknown[],
  { most, caller }: { readonly most: number; readonly caller: Caller },
): Later<RawRow[]> {
  const statement: Statement = { sql: text, access: 'read', most }
  return sendSoon(database, statement, bind(parameters, values), caller)
}
