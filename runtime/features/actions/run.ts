import { ConstraintError } from '../../database/types.js'
import { conflict, invalid } from '../../errors.js'
import { toHttpError } from '../../http/answers.js'
import { sentence, worded } from '../../input/messages.js'
import { checkValues, type Input } from '../../input/validation.js'
import type { Access, HasEntity, PlaceOf, Row, WriteOptions } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { contextOf } from '../../operations/afterwards.js'
import { deniedOutright } from '../../operations/denied.js'
import {
  answerToChange,
  ChangedMeanwhile,
  holdRows,
  targetOfMany,
} from '../../operations/write/many/existing.js'
import { withAccesses } from '../../operations/write/many/plan.js'
import { statementsOfMany } from '../../operations/write/many/statements.js'
import { planOfOne, statementsOfOne } from '../../operations/write/one.js'
import { throwProblems } from '../../operations/write/places.js'
import type { Target, WritePlan } from '../../operations/write/plan.js'
import { withSteps } from '../../operations/write/steps.js'
import { accessTo, ask, newRequest } from '../../policy/access.js'
import { forWrite } from '../../query/request-parts.js'
import { namedRecords } from '../bulk/records.js'
import { inOneTransaction } from '../transactions/one-transaction.js'
import { asAction, requestNow } from '../transactions/request.js'
import { actionNamed, type Runnable, runQuestion } from './actions.js'

/** Names places in `{ "ids": [] }`: an error of an id is about all of it. */
const inIds: PlaceOf = (at) => `ids.${at}`

/**
 * Runs an action on records that a request names, in their order, all or none. 404 for one that the
 * user does not see, 403 for one that the policy refuses, 422 for input that its rules refuse: then
 * nothing is run.
 * @param ids Each record by its `id`, with what it says besides: its version.
 */
export async function runOnMany(
  { definition }: HasEntity,
  user: unknown,
  name: string,
  { ids, input }: { readonly ids: readonly Input[]; readonly input: unknown },
  { exchange = null }: Pick<WriteOptions, 'exchange'> = {},
): Promise<unknown> {
  const action = actionNamed(definition, name)
  const asked = accessTo(Object.assign(newRequest(user), { isMany: true }), definition)
  const access = exchange === null ? asked : Object.assign({}, asked, { exchange })
  const named = await namedRecords(access, 'update', ids, inIds)
  throwProblems(strangeMembers(named.map(({ write }) => write.body)))
  const plan = withSteps({
    ...{ access, records: await withAccesses(access, named), statements: statementsOfMany },
    ...{ placeOf: inIds, isAlong: false, isMinimal: true, strict: null },
  })
  const target = await targetOfMany(plan, runQuestion(name))
  return runHeld(action, plan, target, readInput(access, action, input), answerToChange)
}

/** Members that nothing reads: an action may not be what their sender believes it is. */
function strangeMembers(bodies: readonly Input[]): ReadonlyMap<string, string[]> {
  const problems = bodies.flatMap((body, at) =>
    Object.keys(body).map((key): [string, string[]] => [
      `ids.${at}.${key}`,
      [sentence(key, worded('is not known', 'notKnown'))],
    ]),
  )
  return new Map(problems)
}

/** Runs an action on the record in the path. */
export async function runOnOne(
  { definition }: HasEntity,
  user: unknown,
  name: string,
  { id, input }: { readonly id: string; readonly input: unknown },
  options?: WriteOptions,
): Promise<unknown> {
  const action = actionNamed(definition, name)
  const access = forWrite(accessTo(newRequest(user), definition), 'update', options)
  const plan = planOfOne(access, { operation: 'update', idText: id, body: {} })
  const question = runQuestion(name)
  const target = await statementsOfOne.target(plan, question)
  await target.rows()
  return runHeld(action, plan, target, readInput(access, action, input), async () => {
    // It is read anew: the first reading is remembered.
    await (await statementsOfOne.target(plan, question)).rows()
    return conflict('The record was changed meanwhile.')
  })
}

/** Runs an action that is about no record. */
export async function runOnNone(
  { definition }: HasEntity,
  user: unknown,
  name: string,
  input: unknown,
): Promise<unknown> {
  const action = actionNamed(definition, name)
  const access = accessTo(newRequest(user), definition)
  const question = runQuestion(name)
  if ((await ask(access, question)) !== true) throw deniedOutright(access, question)
  const values = readInput(access, action, input)
  return inTransaction(action, access, () => runCode(action, access, null, values))
}

/** Locks the records as they are now, and runs the action on them. */
async function runHeld(
  action: Runnable,
  plan: WritePlan,
  { filter }: Target,
  values: Row,
  meaning: (changed: ChangedMeanwhile) => Promise<unknown>,
): Promise<unknown> {
  const { access, records } = plan
  try {
    return await inTransaction(action, access, async (connection) => {
      const found = await holdRows(plan, runQuestion(action.name), filter, connection)
      const rows = records.flatMap(({ id }): Row[] => {
        const row = found.get(id)
        return row === undefined ? [] : [row]
      })
      return runCode(action, access, rows, values)
    })
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? await meaning(error) : error
  }
}

/** All that the code of an action does with `db` and repositories is part of one transaction. */
export async function inTransaction<Done>(
  { name, project }: Pick<Runnable, 'name' | 'project'>,
  { entity }: Access,
  work: Parameters<typeof inOneTransaction<Done>>[2],
): Promise<Done> {
  try {
    return await inOneTransaction(project.database, `action '${name}' of ${entity.key}`, work)
  } catch (error) {
    // What a repository refuses names its fields; of other statements, callers learn the kind.
    throw error instanceof ConstraintError ? (toHttpError(error) ?? error) : error
  }
}

/** Calls the code of an action; `rows` is null where it is about no record. */
export function runCode(
  { declared, project, run }: Runnable,
  access: Access,
  rows: readonly Row[] | null,
  values: Row,
): Promise<unknown> {
  return asAction(async () => {
    const context = await contextIn(access, project)
    const subject = rows === null ? [] : [declared.on === 'one' ? rows[0] : rows]
    const input = declared.input === undefined ? [] : [values]
    return run(context, ...subject, ...input)
  })
}

/** The context of code in app/Actions. */
export async function contextIn(
  access: Access,
  { db, repositories }: Runnable['project'],
): Promise<object> {
  const own = { db, repositories: await repositories() }
  return Object.assign({}, requestNow(access), contextOf(access), own)
}

const notInput = 'The input field must be an object.'

/** What an action is sent, as its rules read it; 422 names each member that they refuse, or that they do not know. */
export function readInput(
  { entity }: Access,
  { declared: { input: rules = {}, defaults = {} } }: Runnable,
  sent: unknown = {},
): Row {
  if (!isRecord(sent)) throw invalid({ input: [notInput] })
  const names = Object.keys(rules)
  const { values, errors } = checkValues(rules, names, sent, entity.key)
  const strange = Object.keys(sent).filter((name) => !Object.hasOwn(rules, name))
  throwProblems(
    new Map([
      ...[...errors].map(([name, texts]): [string, string[]] => [`input.${name}`, texts]),
      ...strange.map((name): [string, string[]] => [
        `input.${name}`,
        [sentence(name, worded('is not known', 'notKnown'))],
      ]),
    ]),
  )
  // Null is a value: only what is left out has its default.
  const given = names.map((name) => [
    name,
    values[name] === undefined ? (defaults[name] ?? null) : values[name],
  ])
  return Object.fromEntries(given) as Row
}
