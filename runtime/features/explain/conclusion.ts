import type { HttpError } from '../../errors.js'
import { ownOperation } from './own-operations.js'
import { harmless } from './shown-value.js'
import type { Question, Step, Why } from './why-types.js'

interface Found {
  readonly steps: readonly Step[]
  readonly isThere: boolean | null
  readonly notes: readonly string[]
  /** The error of the body. */
  readonly failed: HttpError | null
  /** No id of this repository. */
  readonly isNoId: boolean
  /** Denied without the database. */
  readonly isOutright: boolean
  /** True: users are refused as well, and do not learn whether there is such a record. */
  readonly isBarred: boolean
  /** A guest, and the policy shows guests nothing. */
  readonly isClosed: boolean
}

/** Sums the steps up as the server does: which of them is the answer of the request. */
export function concluded(question: Question, user: Why['user'], found: Found): Why {
  const { operation, entity, id } = question
  const { steps, isThere, notes } = found
  const [status, sentence] = outcomeOf(question, user, found)
  const isLeftOut = gatesIn(steps).some((step) => step.answer === 'no')
  return {
    operation,
    repository: entity.key,
    id,
    user,
    answer: status < 300 && !isLeftOut ? 'yes' : 'no',
    status,
    sentence,
    isThere,
    steps,
    notes,
  }
}

type Outcome = readonly [status: number, sentence: string]

const gatesIn = (steps: readonly Step[]) => steps.filter(({ rule }) => /^can[A-Z]\w*\./.test(rule))

function outcomeOf(question: Question, user: Why['user'], found: Found): Outcome {
  const { operation, entity } = question
  const { steps, failed } = found
  const who = user === null ? 'A guest' : `${user.name} (user ${user.id})`
  const what = operation === 'store' ? `a record of ${entity.key}` : nameOf(question)
  const isNo = (name: string) => steps.some(({ rule, answer }) => rule === name && answer === 'no')
  if (isNo('a token')) return [401, `No: without a token, ${operation} of ${entity.key} is 401.`]
  const denied = user === null ? 401 : 403
  if (operation === 'store') {
    if (found.isOutright) return [denied, `No: ${who} may not store ${what} (${denied}).`]
    if (failed !== null) return wrongBody(failed)
    if (isNo('store')) return [denied, `No: ${who} may not store ${what} like that (${denied}).`]
    return [201, withFields(question, steps, `Yes: ${who} may store ${what}.`)]
  }
  const does = operation === 'show' ? 'look for' : operation
  if (found.isBarred && !found.isNoId) {
    return [denied, `No: ${who} may not ${does} ${what}, whatever it is (${denied}).`]
  }
  const seen = seeing(question, user, found, who)
  if (found.isOutright && user === null && operation !== 'show' && !found.isNoId) {
    return [401, `No: a guest may not ${operation} ${what}, whatever it is (401).`]
  }
  if (seen !== null) return seen
  if (operation === 'show') return [200, withFields(question, steps, `Yes: ${who} sees ${what}.`)]
  const isAllowed = !steps.some(
    ({ rule, of, answer }) => rule === operation && of === 'the record' && answer === 'no',
  )
  if (!isAllowed) {
    return [denied, `No: ${who} sees ${what}, and may not ${operation} it (${denied}).`]
  }
  if (failed !== null) return wrongBody(failed)
  if (steps.some(({ of, answer }) => of === 'the record as it would be' && answer === 'no')) {
    return [denied, `No: ${who} may ${operation} ${what}, but not into that (${denied}).`]
  }
  const own = ownOperation(entity, operation)
  const status = own?.status ?? (operation === 'delete' ? 204 : 200)
  return [status, withFields(question, steps, `Yes: ${who} may ${operation} ${what}.`)]
}

/** As links have it. */
const nameOf = ({ entity, id }: Question): string => harmless(`${entity.key}/${id ?? ''}`)

/** Null: the user sees the record. */
function seeing(question: Question, user: Why['user'], found: Found, who: string): Outcome | null {
  const what = nameOf(question)
  const isNo = (name: string) =>
    found.steps.some(({ rule, answer }) => rule === name && answer === 'no')
  const isClosed = found.isClosed && question.operation === 'show' && !found.isNoId
  const status = isClosed && user === null ? 401 : 404
  if (found.isThere === false) return [status, `No: there is no ${what} at all (${status}).`]
  if (!isNo('show') && !isNo('is there')) return null
  const { operation, entity } = question
  if (!isNo('show') && ownOperation(entity, operation) !== undefined) {
    const says = `${who} cannot ${operation} ${what}: it is there, and not to be found for that`
    return [status, `No: ${says} (${status}).`]
  }
  return [status, `No: ${who} does not see ${what}: it is there, and hidden (${status}).`]
}

const wrongBody = ({ status, message }: HttpError): Outcome => [
  status,
  `No: before a policy is asked of the record, the body is wrong (${status}): ${message}`,
]

/** Adds the result for the field whose gate is asked, or for the fields of the body. */
function withFields({ field }: Question, steps: readonly Step[], sentence: string): string {
  const gates = gatesIn(steps)
  const closed = gates.filter(({ answer }) => answer === 'no').map(nameOfField)
  const yes = sentence.slice(0, -1)
  const no = yes.replace(/^Yes/, 'No')
  const isSeen = gates.some(({ rule }) => rule.startsWith('canSee.'))
  if (closed.length > 0) {
    const names = closed.join(', ').replace(/, (?='[^']*'$)/, ' and ')
    const are = closed.length === 1 ? 'is' : 'are'
    return isSeen ? `${no}, without ${names}.` : `${no}, but ${names} of the body ${are} ignored.`
  }
  if (field === undefined) return sentence
  return isSeen ? `${yes}, with '${field}'.` : `${yes}, and '${field}' is written.`
}

const nameOfField = ({ rule }: Step): string => `'${rule.slice(rule.indexOf('.') + 1)}'`
