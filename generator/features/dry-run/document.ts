import type { DocumentPart } from '../openapi/api.js'
import { type Preference, preferenceParameter } from '../openapi/operations/operation.js'
import { takesWrite } from '../openapi/operations/resource-operations.js'
import { json, responses } from '../openapi/operations/statuses.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter, response } from '../openapi/schemas/references.js'

const bounded: Preference = {
  alone: parameter('maxAffected'),
  description:
    'With `max-affected=20` it is done if it writes 20 rows at most, with what goes along; else 409 says how many.',
  pattern: String.raw`max-affected=\d{1,15}`,
}

/** Any write may be tried, and answers 200 then; or be bounded. */
export const dryRunInDocument: DocumentPart = {
  around: (operation, route) => {
    if (!takesWrite(route)) return operation
    const { success, failures, invalid } = operation.responses
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), parameter('dryRun')],
      preferences: [...(operation.preferences ?? []), bounded],
      responses: responses(
        { 200: response('dryRun'), ...success },
        [...failures, 400, 409],
        invalid,
      ),
    }
  },
  components: () => ({
    parameters: {
      maxAffected: preferenceParameter(bounded),
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
