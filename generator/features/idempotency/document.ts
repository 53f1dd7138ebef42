import type { DocumentPart } from '../openapi/api.js'
import { takesWrite } from '../openapi/operations/resource-operations.js'
import { failure, responses } from '../openapi/operations/statuses.js'

/** A key that any write of records takes, and what is answered for it. */
export const keysInDocument: DocumentPart = {
  around: (operation, route) => {
    // What answers secrets keeps none.
    if (!takesWrite(route)) return operation
    const { success, failures, invalid } = operation.responses
    return {
      ...operation,
      parameters: [
        ...(operation.parameters ?? []),
        { $ref: '#/components/parameters/IdempotencyKey' },
      ],
      responses: responses(success, [...failures, 400, 409, 422], invalid),
    }
  },
  components: () => ({
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'A new text for each thing to do, such as a UUID. The same request with the same one is done once, and gets the first answer again, with `Idempotency-Replayed`.',
        schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      },
    },
    responses: {
      '409': failure(
        'Other records still use this one, or the request with this `Idempotency-Key` is running.',
        { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } },
      ),
      '422': failure('The `Idempotency-Key` belongs to another request.'),
    },
  }),
}
