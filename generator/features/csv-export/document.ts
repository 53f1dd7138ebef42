import type { Entity } from '../../blueprint/types.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { response, schema } from '../openapi/schemas/references.js'
import { exportFact } from './check.js'

/** Lists as files. */
export const exportInDocument: DocumentPart = {
  says: 'Lists that say so answer `Accept: text/csv` with all records that are found, as a file.',
  around: (operation, { does }, api) => {
    const isIndex = does.is === 'resource' && does.operation === 'index'
    if (!isIndex || exportFact.in(api.project.blueprint, does.entity) === null) return operation
    const { responses } = operation
    const success = { 200: response(`${api.prefix(does.entity)}.listOrFile`) }
    return { ...operation, responses: { ...responses, success } }
  },
  componentsOf: (api, entity) => {
    const page = schema(`${api.prefix(entity)}Page`)
    const content = fileContent(api, entity, page)
    if (content === null) return {}
    return { responses: { [`${api.prefix(entity)}.listOrFile`]: content } }
  },
}

/** The answer of a list that is a file, too; null: it is JSON alone. */
export function fileContent(api: Api, entity: Entity, page: Data): Data | null {
  const said = exportFact.in(api.project.blueprint, entity)
  if (said === null) return null
  return {
    description: `The records; with \`Accept: text/csv\` all that are found, ${said.max} at most, one a line.`,
    content: {
      'application/json': { schema: page },
      'text/csv': { schema: { type: 'string' } },
    },
  }
}
