import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { definitionOf, type Project } from '../authorization/project.js'
import type { Send } from '../client.js'
import { during } from './mutant.js'
import { type Scenario, type Step, type Value, type Values, withUnique } from './scenario.js'

/** The parts of an answer that a test may check. */
export interface Answer {
  readonly status: number
  /** The field that a gate is about: whether it is there, and whether it is what was sent. */
  readonly shown: { readonly isThere: boolean; readonly isSent: boolean }
  /** The value in the database; null: there is no record. */
  readonly stored: { readonly value: unknown; readonly isSent: boolean } | null
}

export type Expected =
  | { readonly status: number; readonly of: 'status' }
  | { readonly status: number; readonly of: 'there'; readonly holds: boolean }
  | { readonly status: number; readonly of: 'sent' | 'storedSent'; readonly holds: boolean }
  | { readonly status: number; readonly of: 'stored'; readonly value: unknown }

/** The result of a scenario: its values, and the mutants that the request reached. */
export interface Tried {
  readonly expected: Expected
  readonly reached: ReadonlySet<string>
}

/** Runs it with the mutant and without; null: the answers are the same, or say nothing. */
export async function triedWith(
  project: Project,
  scenario: Scenario,
  id: string,
): Promise<Tried | null> {
  const first = await answerTo(project, scenario, null)
  const second = await answerTo(project, scenario, id)
  if (first?.answer == null || second === null) return null
  const { answer, reached } = first
  const weak = second.answer
  const expected = expectedOf(answer, weak)
  // A body that is wrong is no answer of a policy.
  const isWrong = answer.status === 422 && (scenario.field === null || (weak?.status ?? 500) >= 300)
  return expected === null || isWrong ? null : { expected, reached }
}

/** Returns true if what was expected of it is another with this mutant, too. */
export async function isKilledBy(
  project: Project,
  scenario: Scenario,
  expected: Expected,
  id: string,
): Promise<boolean> {
  const found = await answerTo(project, scenario, id)
  if (found === null) return false
  return found.answer === null || !isDeepStrictEqual(expected, expectedAs(expected, found.answer))
}

function expectedOf(answer: Answer, weak: Answer | null): Expected | null {
  const { status, shown, stored } = answer
  if (weak === null || weak.status !== status) return { status, of: 'status' }
  if (status >= 300) return null
  if (shown.isThere !== weak.shown.isThere) return { status, of: 'there', holds: shown.isThere }
  if (shown.isSent !== weak.shown.isSent) return { status, of: 'sent', holds: shown.isSent }
  if (stored === null || weak.stored === null) return null
  if (stored.isSent !== weak.stored.isSent)
    return { status, of: 'storedSent', holds: stored.isSent }
  const isSame = isDeepStrictEqual(stored.value, weak.stored.value)
  return isSame ? null : { status, of: 'stored', value: stored.value }
}

function expectedAs({ of }: Expected, { status, shown, stored }: Answer): Expected {
  if (of === 'there') return { status, of, holds: shown.isThere }
  if (of === 'sent') return { status, of, holds: shown.isSent }
  if (of === 'storedSent') return { status, of, holds: stored?.isSent === true }
  return of === 'stored' ? { status, of, value: stored?.value } : { status, of }
}

type Named = Map<string, Row>

/** Null: the database does not take such records. Its answer is null where the server failed. */
async function answerTo(project: Project, scenario: Scenario, mutant: string | null) {
  const named: Named = new Map()
  const send = await asked(project, scenario, named)
  try {
    for (const step of scenario.steps) await done(project, step, named)
  } catch {
    return null
  }
  const { method, body, id } = scenario
  const sent = body === null ? undefined : valuesOf(body, named)
  const path = pathOf(scenario, id === null ? '' : String(valueOf(id, named)))
  try {
    const { value: response, reached } = await during(mutant, () => send(method, path, sent))
    return { answer: await answerOf(project, scenario, response, named), reached }
  } catch {
    return { answer: null, reached: new Set<string>() }
  }
}

export const pathOf = ({ entity, id, rest }: Scenario, shown: string): string =>
  `/api/svc/${entity.key}${id === null ? '' : `/${shown}`}${rest}`

async function asked(project: Project, { asker }: Scenario, named: Named): Promise<Send> {
  const { roles, signIn, sendAsNobody } = project
  if (asker.user === null || signIn === undefined) return sendAsNobody
  const user = await roles[asker.role]?.()
  if (user == null) return sendAsNobody
  named.set('user', user as unknown as Row)
  return (await signIn(user)).send
}

async function done(project: Project, step: Step, named: Named): Promise<void> {
  const values = valuesOf(step.values, named)
  if (step.does === 'make') {
    const made = await definitionOf(project, step.entity.key).make(values)
    return void named.set(step.name, made as Row)
  }
  if (step.does === 'insert') {
    await project.db.insertInto(step.table).values(values).execute()
    return
  }
  const { table, id } = step.entity
  const update = project.db.updateTable(table).set(values)
  await update.where(id.name, '=', valueOf(step.id, named)).execute()
}

async function answerOf(
  project: Project,
  scenario: Scenario,
  response: Response,
  named: Named,
): Promise<Answer> {
  const { field, entity, id, body } = scenario
  const { status } = response
  const text = await response.text()
  const none = { status, shown: { isThere: false, isSent: false }, stored: null }
  if (field === null || status >= 300) return none
  const { data } = JSON.parse(text) as Answered // as a record is answered
  const inside = scenario.rest === '' ? data.attributes : data.relationships
  const sent = body?.[field] === undefined ? undefined : valueOf(body[field], named)
  const isSent = (value: unknown) => sent !== undefined && isAsSent(value, sent)
  const shown = { isThere: Object.hasOwn(inside ?? {}, field), isSent: isSent(inside?.[field]) }
  const column = entity.columns.get(field)
  if (body === null || column === undefined) return { status, shown, stored: null }
  const key = readId(entity.id, id === null ? data.id : String(valueOf(id, named)))
  const select = project.db.selectFrom(entity.table).select(column.name)
  const row = await select.where(entity.id.name, '=', key).executeTakeFirst()
  const value = row?.[column.name]
  return { status, shown, stored: { value, isSent: isSent(value) } }
}

interface Answered {
  readonly data: {
    readonly id: string
    readonly attributes?: Readonly<Record<string, unknown>>
    readonly relationships?: Readonly<Record<string, unknown>>
  }
}

/** Ids are texts in JSON. */
const isAsSent = (value: unknown, sent: unknown): boolean =>
  isDeepStrictEqual(value, sent) || (typeof sent === 'number' && value === String(sent))

const valuesOf = (values: Values, named: Named): Row =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, named)]))

function valueOf(value: Value, named: Named): unknown {
  if ('list' in value) return value.list.map((each) => valueOf(each, named))
  if ('literal' in value) return value.isFresh === true ? freshened(value.literal) : value.literal
  const found = named.get(value.of)?.[value.field] ?? value.orElse ?? null
  return value.isText === true ? String(found) : found
}

let times = 0

/** Values that factories make unique stay unique, however often the test is tried. */
function freshened(value: unknown): unknown {
  times += 1
  return withUnique(value, times.toString(16))
}
