import type { DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { aboutHeader, failure, responses } from '../openapi/operations/statuses.js'

/** All requests may be one too many, but for those of load balancers. */
export const limitInDocument: DocumentPart = {
  around: (operation, { does }) => {
    if (does.is === 'health') return operation
    const { success, failures, invalid } = operation.responses
    return { ...operation, responses: responses(success, [...failures, 429], invalid) }
  },
  components: () => ({ headers, responses: limited }),
}

/** Of draft-ietf-httpapi-ratelimit-headers. */
const headers: Readonly<Record<string, Data>> = {
  RateLimit: aboutHeader(
    'What is left (`r`), and for how many seconds (`t`); on every answer.',
    'string',
  ),
  'RateLimit-Policy': aboutHeader('How many requests (`q`) in how many seconds (`w`).', 'string'),
}

const limited: Readonly<Record<string, Data>> = {
  '429': failure('Too many attempts, or requests.', {
    headers: Object.fromEntries(
      ['RateLimit', 'RateLimit-Policy', 'Retry-After'].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
  }),
}
