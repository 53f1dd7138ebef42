import { notFound } from '../../errors.js'
import type { Access, Entity, HasEntity } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Question } from '../../model/policy-and-hooks.js'
import { deniedOutright } from '../../operations/denied.js'
import { select } from '../../operations/read.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { accessTo, ask, newRequest, visibleWithId } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { asSql } from '../../policy/predicate.js'
import { join, sql } from '../../sql/sql.js'
import { actionNamed, declaredOf, getQuestion, getterNamed, runQuestion } from './actions.js'
import { contextIn } from './run.js'

/** Asks a getter of the record in the path: 404 where the user does not see it, 403 where the policy refuses. */
export async function getOfOne(
  { definition }: HasEntity,
  user: unknown,
  name: string,
  id: string,
): Promise<unknown> {
  const getter = getterNamed(definition, name)
  const access = accessTo(newRequest(user), definition)
  const question = getQuestion(name)
  const { row, isAdmitted } = await admittedRow(access, id, [question])
  if (isAdmitted[0] !== true) throw deniedOutright(access, question, 'denied')
  return getter.get(await contextIn(access, getter.project), row)
}

/** Asks a getter that is about no record. */
export async function getOfNone(
  { definition }: HasEntity,
  user: unknown,
  name: string,
): Promise<unknown> {
  const getter = getterNamed(definition, name)
  const access = accessTo(newRequest(user), definition)
  const question = getQuestion(name)
  if ((await ask(access, question)) !== true) throw deniedOutright(access, question)
  return getter.get(await contextIn(access, getter.project))
}

/** An action, as lists of actions show it. */
export interface ShownAction {
  readonly key: string
  readonly label: string
  readonly description?: string
  readonly on: 'many' | 'one' | 'none'
  readonly destructive: boolean
  /** What it is sent, as JSON Schema. */
  readonly input: object
  /** In the list of a repository: whether there may be a record that this user may run it on. */
  readonly authorized: boolean
}

/** The actions that a user may find at `POST /<key>/actions`. */
export async function listActions({ definition }: HasEntity, user: unknown) {
  const access = accessTo(newRequest(user), definition)
  const names = namesOf(access, ({ on }) => on !== 'one')
  const shown: ShownAction[] = []
  for (const name of names) {
    const answer = await ask(access, runQuestion(name))
    const { on } = actionNamed(definition, name).declared
    const found = on === 'none' ? answer === true : answerTest(definition, answer)
    const mayHold = typeof found === 'object' && found !== null ? found.mayHold : found === true
    shown.push(shownAction(access, name, mayHold))
  }
  return shown
}

/** The actions that may be run on one record; 404 where the user does not see it. One statement. */
export async function listActionsOfOne(
  { definition }: HasEntity,
  user: unknown,
  id: string,
): Promise<readonly ShownAction[]> {
  const access = accessTo(newRequest(user), definition)
  const names = namesOf(access, ({ on }) => on !== 'none')
  const { isAdmitted } = await admittedRow(access, id, names.map(runQuestion))
  return names.map((name, at) => shownAction(access, name, isAdmitted[at] === true))
}

/** A getter, as lists of getters show it. */
export type ShownGetter = Pick<ShownAction, 'key' | 'label' | 'description' | 'authorized'> & {
  readonly on: 'one' | 'none'
}

/** The getters of no record. */
export async function listGetters({ definition }: HasEntity, user: unknown) {
  const access = accessTo(newRequest(user), definition)
  const shown: ShownGetter[] = []
  for (const name of getterNames(definition, 'none')) {
    shown.push(shownGetter(definition, name, (await ask(access, getQuestion(name))) === true))
  }
  return shown
}

/** The getters of one record; 404 where the user does not see it. One statement. */
export async function listGettersOfOne(
  { definition }: HasEntity,
  user: unknown,
  id: string,
): Promise<readonly ShownGetter[]> {
  const access = accessTo(newRequest(user), definition)
  const names = getterNames(definition, 'one')
  const { isAdmitted } = await admittedRow(access, id, names.map(getQuestion))
  return names.map((name, at) => shownGetter(definition, name, isAdmitted[at] === true))
}

const getterNames = (entity: Entity, on: 'one' | 'none'): readonly string[] =>
  Object.entries(declaredOf(entity).getters).flatMap(([name, each]) =>
    each.on === on ? [name] : [],
  )

function shownGetter(entity: Entity, name: string, authorized: boolean): ShownGetter {
  const { on, label = labelOf(name), description } = getterNamed(entity, name).declared
  const about = description === undefined ? {} : { description }
  return { key: name, label, ...about, on, authorized }
}

const namesOf = (
  { entity }: Access,
  isIn: (declared: { readonly on: ShownAction['on'] }) => boolean,
): readonly string[] =>
  Object.entries(declaredOf(entity).actions).flatMap(([name, each]) => (isIn(each) ? [name] : []))

const noInput = { type: 'object', properties: {} }

function shownAction({ entity }: Access, name: string, authorized: boolean): ShownAction {
  const { declared } = actionNamed(entity, name)
  const { label = labelOf(name), description, on, destructive = false, schema = noInput } = declared
  const about = description === undefined ? {} : { description }
  return { key: name, label, ...about, on, destructive, input: schema, authorized }
}

/** `sendInvoice` is "Send invoice". */
const labelOf = (name: string): string => {
  const words = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A record that the user sees, and which questions the policy admits it for. One statement. */
async function admittedRow(access: Access, idText: string, questions: readonly Question[]) {
  const { entity } = access
  const id = readId(entity.id, idText)
  const filter = id === null ? false : await visibleWithId(access, id)
  if (filter === false || filter === null) throw notFound()
  const flags = []
  for (const question of questions) {
    const admitted = asSql(access, answerTest(entity, await ask(access, question))).sql
    flags.push(sql`case when ${admitted} then 1 else 0 end`)
  }
  const reader = rowReader(entity, allColumns(entity))
  const columns = join([reader.select('t0'), ...flags])
  const [raw] = await select(entity, { columns, filter })
  if (raw === undefined) throw notFound()
  const row = reader.decode(raw)
  const isAdmitted = questions.map((_, at) => row[reader.width + at] === 1)
  return { row: reader.object(row), isAdmitted }
}
