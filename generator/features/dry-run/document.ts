import type { DocumentPart } from '../openapi/api.js'
import { objectOf } from '../openapi/object.js'
import { parameter, response } from '../openapi/references.js'
import { takesWrite } from '../openapi/resource-operations.js'
import { json, responses } from '../openapi/statuses.js'

/** Any write may be tried, and answers 200 then. */
export const dryRunInDocument: DocumentPart = {
  around: (operation, route) => {
    if (!takesWrite(route)) return operation
    const { success, failures, invalid } = operation.responses
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), parameter('dryRun')],
      responses: responses({ 200: response('dryRun'), ...success }, [...failures, 400], invalid),
    }
  },
  components: () => ({
    parameters: {
      dryRun: {
        name: 'dryRun',
        in: 'query',
        description:
          'With `true` it is done and rolled back: 200 with what it would have answered, and in `meta.affected` the rows of each table.',
        schema: { enum: ['true', 'false'] },
      },
    },
    responses: {
      dryRun: json('What would have been done.', {
        ...objectOf({
          data: {},
          meta: objectOf({
            dryRun: { const: true },
            affected: { type: ['object', 'null'], additionalProperties: { type: 'integer' } },
          }),
        }),
      }),
    },
  }),
}
