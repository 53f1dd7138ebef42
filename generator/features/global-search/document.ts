import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { open, optional, type Operation } from '../openapi/operations/operation.js'
import { deniedStatuses } from '../openapi/operations/resource-operations.js'
import { json, responses } from '../openapi/operations/statuses.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter, response } from '../openapi/schemas/references.js'
import { searchedIn } from './check.js'
import { isPublicSearch } from './routes.js'

const tag = 'search'

export const searchInDocument: DocumentPart = {
  tag: { name: tag, description: 'What is found in several repositories at once.' },
  operation: searchOperation,
  components: (api) => ({
    schemas: { 'search.result': resultSchema(api) },
    responses: {
      'search.results': json(
        'What each repository finds, in their order. Nothing of what the user may not see.',
        objectOf(
          { data: { type: 'array', items: { $ref: '#/components/schemas/search.result' } } },
          ['data'],
        ),
      ),
    },
    parameters: {
      searched: {
        name: 'search',
        in: 'query',
        required: true,
        description: 'Text to find.',
        schema: { type: 'string', maxLength: 200, pattern: String.raw`\S` },
      },
      only: {
        name: 'only',
        in: 'query',
        explode: false,
        description: 'Looks in these alone.',
        schema: { type: 'array', items: { enum: keysOf(api) }, minItems: 1 },
      },
    },
  }),
}

/** Finds records of several repositories. */
export function searchOperation(api: Api): Operation {
  return {
    operationId: 'search',
    summary: 'Find records of several repositories',
    tag,
    description: '`perPage` is for each of them, 5 unless it says otherwise.',
    ...security(api),
    parameters: [parameter('searched'), parameter('perPage'), parameter('only')],
    responses: responses({ 200: response('search.results') }, [400, ...deniedStatuses(api)]),
  }
}

function security(api: Api): Pick<Operation, 'security'> {
  if (!api.facts.config.hasGuard) return { security: open }
  return isPublicSearch(api.project) ? { security: optional } : {}
}

const keysOf = ({ project }: Api): string[] => searchedIn(project.blueprint).map(({ key }) => key)

function resultSchema(api: Api): Data {
  const text = { type: ['string', 'null'] }
  const properties = {
    type: { enum: keysOf(api) },
    id: { type: 'string' },
    title: text,
    subtitle: text,
    link: { type: 'string', description: 'The address of the record, from the root.' },
  }
  return objectOf(properties, Object.keys(properties))
}
