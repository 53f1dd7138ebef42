import type { Data } from '../facts.js'
import { response } from '../schemas/references.js'

export const failure = (description: string, headers: Data = {}): Data => ({
  description,
  ...headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const header = (name: string): Data => ({
  headers: { [name]: { $ref: `#/components/headers/${name}` } },
})

export const aboutHeader = (description: string, type: string): Data => ({
  description,
  schema: { type },
})

/** Headers of answers, by their names. */
export const sharedHeaders: Readonly<Record<string, Data>> = {
  ETag: aboutHeader('What to send as `If-None-Match`.', 'string'),
  Location: aboutHeader('Its address.', 'string'),
  'Retry-After': aboutHeader('Seconds to wait.', 'integer'),
  'WWW-Authenticate': aboutHeader('Bearer', 'string'),
}

/** Answers that are the same everywhere, by their status. */
export const sharedResponses: Readonly<Record<string, Data>> = {
  '204': { description: 'Done; the answer has no body.' },
  '400': failure('The request cannot be read; `errors` names the parameters.'),
  '401': failure('There is no user, and the operation needs one.', header('WWW-Authenticate')),
  '403': failure('The record may be seen, and this may not be done.'),
  '404': failure('There is no such record, or the user may not see it.'),
  '409': failure('Other records still use this one.'),
  '413': failure('The body is too large.'),
  '415': failure('The body is no JSON in UTF-8.'),
  '429': failure('Too many attempts.', header('Retry-After')),
}

/** Statuses for a body that cannot be taken. */
export const bodyFailures = [400, 413, 415] as const

/** The responses of one operation: how it succeeds, and the failures it has. */
export interface Responses {
  readonly success: Data
  readonly failures: readonly number[]
  /** The component that says what 422 holds. */
  readonly invalid?: string
}

export const responses = (
  success: Data,
  failures: readonly number[],
  invalid?: string,
): Responses => ({ success, failures, ...(invalid === undefined ? {} : { invalid }) })

/** As JSON, in the order of the statuses. */
export function printResponses({ success, failures, invalid }: Responses): string {
  const texts = Object.entries(success).map(
    ([status, data]) => `"${status}":${JSON.stringify(data)}`,
  )
  const ofInput = invalid === undefined ? [] : [422]
  for (const status of [...new Set([...failures, ...ofInput])].toSorted((a, b) => a - b)) {
    texts.push(status === 422 ? printReference(422, invalid) : printFailure(status))
  }
  return `{${texts.join(',')}}`
}

const printReference = (status: number, name = String(status)) =>
  `"${status}":${JSON.stringify(response(name))}`

const failureTexts = new Map<number, string>()

/** One of the few that a hundred thousand operations fail with. */
function printFailure(status: number): string {
  const text = failureTexts.get(status) ?? printReference(status)
  failureTexts.set(status, text)
  return text
}

export const json = (description: string, schema: Data, more: Data = {}): Data => ({
  description,
  ...more,
  content: { 'application/json': { schema } },
})

export const sent = (schema: Data): Data => ({
  required: true,
  content: { 'application/json': { schema } },
})
