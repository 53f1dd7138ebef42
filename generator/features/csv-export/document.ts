import type { DocumentPart } from '../openapi/api.js'
import { response } from '../openapi/references.js'
import { exportIn } from './check.js'

/** Lists as files. */
export const exportInDocument: DocumentPart = {
  says: 'Lists that say so answer `Accept: text/csv` with all records that are found, as a file.',
  around: (operation, { does }, api) => {
    const isIndex = does.is === 'resource' && does.operation === 'index'
    if (!isIndex || exportIn(api.project.blueprint, does.entity) === null) return operation
    const { responses } = operation
    const success = { 200: response(`${api.prefix(does.entity)}.listOrFile`) }
    return { ...operation, responses: { ...responses, success } }
  },
  componentsOf: (api, entity) => {
    const said = exportIn(api.project.blueprint, entity)
    if (said === null) return {}
    const description = `The records; with \`Accept: text/csv\` all that are found, ${said.max} at most, one a line.`
    const prefix = api.prefix(entity)
    return {
      responses: {
        [`${prefix}.listOrFile`]: {
          description,
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/${prefix}Page` } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
      },
    }
  },
}
