import { response } from './api.js'
import type { Data } from './facts.js'

const failure = (description: string, headers: Data = {}): Data => ({
  description,
  ...headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const header = (name: string, description: string, type: string): Data => ({
  headers: { [name]: { description, schema: { type } } },
})

/** Failures that are the same everywhere, by their status. */
export const failures: Readonly<Record<string, Data>> = {
  '400': failure('The request cannot be read; `errors` names the parameters.'),
  '401': failure(
    'There is no user, and the operation needs one.',
    header('WWW-Authenticate', 'Bearer', 'string'),
  ),
  '403': failure('The record may be seen, and this may not be done.'),
  '404': failure('There is no such record, or the user may not see it.'),
  '409': failure('Other records still use this one.'),
  '413': failure('The body is too large.'),
  '415': failure('The body is no JSON in UTF-8.'),
  '429': failure('Too many attempts.', header('Retry-After', 'Seconds to wait.', 'integer')),
}

/** What a body that cannot be taken is answered with. */
export const bodyFailures = [400, 413, 415] as const

/** The responses of one operation: how it succeeds, and the failures it has. */
export function responses(success: Data, statuses: readonly number[], invalid?: string): Data {
  const known = [...new Set(statuses)].map((status) => [status, response(String(status))] as const)
  const failing = invalid === undefined ? known : [...known, [422, response(invalid)] as const]
  const all = [
    ...Object.entries(success),
    ...failing.map(([status, data]) => [String(status), data] as const),
  ]
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
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
