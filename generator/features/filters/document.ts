import { studly } from '../../blueprint/names/names.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation } from '../openapi/operations/operation.js'
import { securityOf } from '../openapi/operations/resource-operations.js'
import { json, responses } from '../openapi/operations/statuses.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter, response, schema } from '../openapi/schemas/references.js'
import { entityOf } from './routes.js'

const lists = ['matches', 'sortables', 'searchables', 'filters'] as const

export const filtersInDocument: DocumentPart = {
  says: '`…/filters` lists what you may filter, sort and search by.',
  operation: filtersOperation,
  components: () => ({
    schemas: { askable: askableSchema() },
    responses: {
      askables: json(
        'What lists may be asked for. Nothing that the user may not see.',
        objectOf({ data: objectOf(Object.fromEntries(lists.map((name) => [name, rows])), []) }, [
          'data',
        ]),
      ),
    },
    parameters: {
      onlyAsked: {
        name: 'only',
        in: 'query',
        explode: false,
        description: 'These lists alone.',
        schema: { type: 'array', items: { enum: [...lists] } },
      },
    },
  }),
}

const rows: Data = { type: 'array', items: schema('askable') }

/** The operation that lists a repository's filters. */
export function filtersOperation(api: Api, route: KnownRoute): Operation {
  const entity = entityOf(route)
  return {
    operationId: `filters${studly(entity.key)}`,
    summary: `Say what lists of ${entity.plural} may be asked for`,
    tag: entity.key,
    ...securityOf(api, 'index', [entity]),
    parameters: [parameter('onlyAsked')],
    responses: responses({ 200: response('askables') }, [400, 401]),
  }
}

function askableSchema(): Data {
  const text = { type: 'string' }
  const texts = { type: 'array', items: text }
  return objectOf(
    {
      key: { ...text, description: 'What is sent: a parameter, a key of `sort`, or of `filters`.' },
      label: text,
      kind: { ...text, description: 'Of its values.' },
      type: { ...text, description: 'How values of a column are matched.' },
      operators: { ...texts, description: 'Comparisons that a column takes.' },
      options: { ...texts, description: 'The values that there are.' },
      placeholder: text,
      description: text,
      repository: { ...text, description: 'The repository whose id it is.' },
    },
    ['key', 'label'],
  )
}
