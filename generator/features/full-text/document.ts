import type { DocumentPart } from '../openapi/api.js'
import { listedBy } from '../openapi/operations/related-operations.js'
import { parameter } from '../openapi/schemas/references.js'
import { fullTextFact } from './check.js'

const name = 'searchWords'

export const fullTextInDocument: DocumentPart = {
  says: '`search=lamp "red desk" -broken sha*` finds words, words in a row, none of a word, and beginnings of words; what fits best comes first where no `sort` is asked.',
  around: (operation, route, api) => {
    const listed = listedBy(api, route)
    const isWords =
      listed.length > 0 && listed.every((entity) => fullTextFact.of(entity, api.project) !== null)
    if (!isWords || operation.parameters === undefined) return operation
    const { $ref } = parameter('search')
    const parameters = operation.parameters.map((each) =>
      each['$ref'] === $ref ? parameter(name) : each,
    )
    return { ...operation, parameters }
  },
  components: () => ({
    parameters: {
      [name]: {
        name: 'search',
        in: 'query',
        description:
          'Words to find, in any case and in any order: `lamp`, `"red desk"` in a row, `-broken` in none, `sha*` at the beginning of a word. What fits best comes first, unless `sort` says otherwise.',
        schema: { type: 'string', maxLength: 200 },
      },
    },
  }),
}
