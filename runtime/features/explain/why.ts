import type { RawRow } from '../../database/types.js'
import type { HttpError } from '../../errors.js'
import type { Access, Entity, Question as Rule } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { columnsAfter, ofChangedRow } from '../../operations/row-after.js'
import { accessesOfRows } from '../../operations/row-gates.js'
import { accessTo, ask, mayStore, newRequest, visibleWithId } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { identifier, join, raw, read, type Sql, sql, table } from '../../sql/sql.js'
import { concluded } from './conclusion.js'
import { conditionTree } from './condition-tree.js'
import type { Asking } from './leaves.js'
import { existingIn, findingOf } from './own-operations.js'
import {
  type AskedStep,
  bodyGates,
  bodySays,
  constantStep,
  gateStep,
  newAsking,
  placeIn,
  readStep,
  ruleStep,
} from './steps.js'
import { personOf } from './users.js'
import type { Question, Why } from './why-types.js'
import { valuesOfChange, valuesOfNew } from './written-row.js'

interface Asked {
  readonly access: Access
  readonly asking: Asking
  readonly steps: readonly AskedStep[]
  /** The row as a write would leave it. */
  readonly after: Sql | null
  /** The error of the body: then no rule is asked about the row after it. */
  readonly failed: HttpError | null
  /** Denied without the database. */
  readonly isOutright: boolean
  /** True: users are refused as well, and do not learn whether there is such a record. */
  readonly isBarred: boolean
}

/** Why a user may do something with a record, or not. What is asked of rows is one statement. */
export async function whyRecord(
  question: Question,
  user: Why['user'] = personOf(null, question.user),
): Promise<Why> {
  const { entity, id } = question
  const asker = accessTo(newRequest(question.user), entity)
  const access = question.finding?.(asker) ?? findingOf(asker, question.operation)
  const asking = newAsking(access, question.audience)
  const asked = await askedOf(access, asking, question)
  const { row, isThere } = await answerRow(question, asked)
  return concluded(question, user, {
    steps: asked.steps
      .filter(({ rule }) => isThere !== false || rule === 'a token')
      .map((step) => readStep(step, row)),
    isThere,
    notes: notesOf(question),
    failed: asked.failed,
    isOutright: asked.isOutright,
    isBarred: asked.isBarred,
    isNoId: question.operation !== 'store' && readId(entity.id, id ?? '') === null,
    isClosed: question.user === null && answerTest(entity, await ask(access, 'show')) === false,
  })
}

async function askedOf(access: Access, asking: Asking, question: Question): Promise<Asked> {
  const { operation, field } = question
  const found =
    operation === 'store'
      ? await ofNew(access, asking, question)
      : await ofRecord(access, asking, question)
  const tokens = needsToken(access, operation)
    ? [constantStep('a token', 'no: `auth:token` of config/svc.ts asks for one', false)]
    : []
  const ofBody = found.failed === null ? bodyGates(access, asking, question) : []
  const fields = field === undefined ? ofBody : [gateStep(access, asking, operation, field)]
  return Object.assign({}, found, { access, asking, steps: [...tokens, ...found.steps, ...fields] })
}

type Part = Omit<Asked, 'access' | 'asking'>

/** Returns true if the middleware wants a token before any policy is asked. */
const needsToken = ({ entity, request }: Access, operation: string): boolean =>
  request.user === null &&
  entity.settings.requiresToken &&
  (operation !== 'show' || entity.isPublic !== true)

async function ofNew(access: Access, asking: Asking, { body }: Question): Promise<Part> {
  const { entity } = access
  const isOutright = !(await mayStore(access))
  const found = body === undefined || isOutright ? null : await valuesOfNew(access, body)
  const values = found !== null && 'values' in found ? found.values : null
  const step =
    values === null
      ? ofNoRow(await ruleStep(access, asking, 'store', null, 'any record'), found)
      : await ruleStep(access, asking, 'store', 'n', 'the new record')
  const after = values === null ? null : sql`select ${columnsAfter(entity, values, null)}`
  const failed = found !== null && 'error' in found ? found.error : null
  return { steps: [step], after, failed, isOutright, isBarred: false }
}

/** A body that is wrong says nothing of the record. */
function ofNoRow(step: AskedStep, found: object | null): AskedStep {
  if (found === null) return step
  const tree: AskedStep['tree'] = (row) => {
    const { words, ...rest } = step.tree(row)
    const wrong = 'this body is wrong, so it was not asked about'
    return Object.assign({ words: words.replace(bodySays, wrong) }, rest)
  }
  return Object.assign({}, step, { tree })
}

async function ofRecord(access: Access, asking: Asking, question: Question): Promise<Part> {
  const { entity } = access
  const { operation } = question
  const steps = [await ruleStep(access, asking, 'show', 't0', 'the record')]
  const conditions = await existingIn(access)
  for (const condition of conditions ?? []) {
    const tree = conditionTree(asking, placeIn(entity, 't0'), condition)
    steps.push({ rule: 'is there', file: null, of: 'the record', decidedBy: [], tree })
  }
  const isBarred = conditions === null
  const part = { steps, after: null, failed: null, isBarred }
  if (operation === 'show') return Object.assign(part, { isOutright: isBarred })
  const rule = operation as Rule // or the question would not have been asked
  steps.push(await ruleStep(access, asking, rule, 't0', 'the record'))
  const isOutright = isBarred || (await isDeniedOutright(access, question, rule))
  const isAsked = operation === 'update' && question.body !== undefined && !isOutright
  if (!isAsked) return Object.assign(part, { isOutright })
  return ofChange(access, asking, question, steps)
}

/** Asks `update` or `updateTo` about the record as the body would leave it. */
async function ofChange(
  access: Access,
  asking: Asking,
  { id, body = {}, isWhole }: Question,
  before: readonly AskedStep[],
): Promise<Part> {
  const { entity } = access
  const extent = isWhole === true ? 'whole' : 'part'
  const write = { operation: 'update', idText: id, body } as const
  const update = { access, write, id: readId(entity.id, id ?? '') }
  const [own = access] = await accessesOfRows([update], extent)
  const changed = await valuesOfChange(own, id ?? '', body, extent)
  const part = { steps: before, after: null, failed: null, isOutright: false, isBarred: false }
  if ('error' in changed) return Object.assign(part, { failed: changed.error })
  const rule = await ofChangedRow(access, [...changed.values.keys()])
  if (rule === null) return part
  const method = entity.policy.updateTo === undefined ? 'update' : 'updateTo'
  const step = await ruleStep(access, asking, method, 'n', 'the record as it would be')
  const columns = columnsAfter(entity, changed.values, 't0')
  const from = sql`from ${table(entity.table, 't0')} where ${isRecord(entity, id)}`
  return Object.assign(part, {
    steps: [...before, step],
    after: sql`select ${columns} ${from}`,
  })
}

function isRecord(entity: Entity, idText: string | null): Sql {
  const id = readId(entity.id, idText ?? '')
  return sql`${identifier('t0', entity.id.name)} = ${id === null ? null : entity.id.encode(id)}`
}

/** As the server decides before it asks the database. */
async function isDeniedOutright(
  access: Access,
  { id: idText }: Question,
  rule: Rule,
): Promise<boolean> {
  const id = readId(access.entity.id, idText ?? '')
  if (id === null) return false
  return (await visibleWithId(access, id, await ask(access, rule))) === false
}

interface Answered {
  readonly row: RawRow | null
  readonly isThere: boolean | null
}

async function answerRow(question: Question, { asking, after }: Asked): Promise<Answered> {
  const { entity, operation, id } = question
  const isNew = operation === 'store'
  if (isNew && after === null) return { row: null, isThere: null }
  if (!isNew && readId(entity.id, id ?? '') === null) return { row: null, isThere: false }
  const columns = join([...asking.columns, raw('1')])
  const joins = asking.joins.length === 0 ? raw('') : sql` ${join(asking.joins, ' ')}`
  const made = after === null ? raw('') : sql`(${after}) as ${identifier('n')}`
  const beside = after === null ? raw('') : sql` left join ${made} on 1 = 1`
  const from = isNew ? made : sql`${table(entity.table, 't0')}${beside}`
  const where = isNew ? raw('') : sql` where ${isRecord(entity, id)}`
  const [row = null] = await read(
    entity.database,
    sql`select ${columns} from ${from}${joins}${where}`,
  )
  return { row, isThere: isNew ? null : row !== null }
}

function notesOf({ entity, operation, body }: Question): readonly string[] {
  const hook = operation === 'store' ? 'beforeStore' : 'beforeUpdate'
  const { hooks, name, policy } = entity
  const isHooked = body !== undefined && hooks?.[hook] !== undefined
  const mayBecome = operation === 'update' && body === undefined && policy.updateTo !== undefined
  return [
    ...(isHooked
      ? [`${hook} of app/Hooks/${name}Hooks.ts is not called here: it may change what is written.`]
      : []),
    ...(mayBecome ? ['What it may become is asked with a body: `updateTo` says it.'] : []),
  ]
}
