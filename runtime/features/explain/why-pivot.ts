import { countedText, HttpError } from '../../errors.js'
import type { Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { look, type PivotChange, readChange, type Seen } from '../pivots/pivot-change.js'
import { newPivotValues } from '../pivots/pivot-input.js'
import {
  hasGate,
  type PivotOperation,
  pivotMethod,
  requireGate,
  requirePivot,
} from '../pivots/pivot-policy.js'
import { someIds } from '../relations/named-ids.js'
import { harmless } from './shown-value.js'
import { readStep, constantStep } from './steps.js'
import { type Question, type Step, Unanswerable, type Why } from './why-types.js'
import { whyRecord } from './why.js'

const operations = ['attach', 'sync', 'detach'] as const

interface PivotQuestion {
  readonly operation: PivotOperation
  readonly key: string
}

/** `attachUsers`: what it does, and with which relation; undefined: it is none of these. */
export function pivotQuestion({ entity, operation }: Question): PivotQuestion | undefined {
  for (const [key, kind] of entity.relations?.kinds ?? []) {
    if (kind !== 'belongsToMany' && kind !== 'morphToMany') continue
    for (const each of operations) {
      if (pivotMethod(each, key) === operation) return { operation: each, key }
    }
  }
  return undefined
}

export const pivotMethods = ({ entity }: Pick<Question, 'entity'>): readonly string[] =>
  [...(entity.relations?.kinds ?? [])].flatMap(([key, kind]) =>
    kind === 'belongsToMany' || kind === 'morphToMany'
      ? operations.map((each) => pivotMethod(each, key))
      : [],
  )

/** Why records may be attached to one, or not: the record is shown, and the method answers for each. */
export async function whyPivot(
  question: Question,
  pivot: PivotQuestion,
  user: Why['user'],
): Promise<Why> {
  const { body, operation, entity, id } = question
  if (body === undefined) {
    throw new Unanswerable(`Say which with --body '{ "${pivot.key}": [1] }'.`)
  }
  const shown = await whyRecord(Object.assign({}, question, { operation: 'show' }), user)
  const who = user === null ? 'A guest' : `${user.name} (user ${user.id})`
  const what = harmless(`${operation} of ${entity.key}/${id ?? ''}`)
  const steps: Step[] = [...shown.steps]
  const [status, words] = await outcomeOf(question, pivot, body, steps)
  const sentences: Readonly<Record<number, string>> = {
    200: `Yes: ${who} may ${what}.`,
    401: `No: without a token, ${what} is 401.`,
    403: `No: ${who} sees it, and may not ${what} (403).`,
    422: `No: the body is wrong (422): ${harmless(words)}`,
  }
  const sentence = sentences[status] ?? (shown.answer === 'no' ? shown.sentence : `No: ${words}`)
  const answer = status === 200 ? 'yes' : 'no'
  return Object.assign({}, shown, { operation, answer, status, sentence, steps } as const)
}

type Outcome = readonly [status: number, words: string]

/** In the order in which the server asks; what it asked is added to the steps. */
async function outcomeOf(
  question: Question,
  { operation, key }: PivotQuestion,
  body: Row,
  steps: Step[],
): Promise<Outcome> {
  const { entity, id } = question
  const access = accessTo(newRequest(question.user), entity)
  const denied: Outcome = [question.user === null ? 401 : 403, '']
  const isDenied = () => steps.some(({ answer }) => answer === 'no')
  try {
    const change = await readChange(operation, access, id ?? '', key, body)
    const seen = await look(change, entity.database, 'read')
    for (const { words, given } of argumentsOf(operation, change.ids, seen)) {
      const ask = () => requirePivot(access, operation, key, given)
      steps.push(await stepOf(question, `${question.operation}${words}`, ask))
    }
    if (isDenied()) return denied
    const wrong = wrongIn(change, seen)
    if (wrong !== '') return [422, wrong]
    if (operation !== 'detach' && hasGate(access, operation, key)) {
      const pivots = change.groups.flatMap(({ ids, values }): Row[] => {
        return ids.map(() => newPivotValues(change.link.relation, values))
      })
      const rule = `${operation === 'attach' ? 'canAttach' : 'canSync'}.${key}`
      steps.push(
        await stepOf(question, rule, () => requireGate(access, operation, key, pivots, seen.row)),
      )
    }
    return isDenied() ? denied : [200, '']
  } catch (error) {
    if (error instanceof HttpError) return [error.status, error.message]
    throw error
  }
}

function wrongIn({ ids, impossible, errors, target }: PivotChange, { related }: Seen): string {
  const missing = [...ids.filter((each) => !related.has(each)), ...impossible]
  const unseen =
    missing.length > 0
      ? [`there is no ${someIds(missing)} among the ${target.key} that are seen`]
      : []
  const texts = [...errors.values()].flat().filter((text) => text !== countedText)
  return [...texts, ...unseen].join(' ')
}

/** Lists the arguments of the method, and their meaning. */
function argumentsOf(
  operation: PivotOperation,
  ids: readonly (number | string)[],
  { row, related }: Seen,
) {
  if (operation === 'sync') return [{ words: '', given: [row, ids] }]
  return ids.flatMap((each) => {
    const found = related.get(each)
    return found === undefined ? [] : [{ words: ` with ${String(each)}`, given: [row, found] }]
  })
}

/** A method or a gate that answers yes or no, and no condition. */
async function stepOf({ entity }: Question, rule: string, ask: () => Promise<void>): Promise<Step> {
  const holds = await ask().then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError) return false
      throw error
    },
  )
  const [method = ''] = rule.split(/[ .]/)
  const isThere = getOwn(entity.policy as Readonly<Record<string, unknown>>, method) !== undefined
  const words = isThere ? 'no' : `no: the policy has no method '${method}'`
  const step = readStep(constantStep(rule, holds ? 'yes' : words, holds), null)
  return Object.assign({}, step, { file: isThere ? policyFile(entity) : null })
}
