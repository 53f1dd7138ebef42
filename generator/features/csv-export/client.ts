import { pathText, remarkOf } from '../client/function-view.js'
import { hasSearches, type Client, type ClientPart } from '../client/names.js'
import { readingOf } from '../client/reading.js'
import { whereOf } from '../trees/client.js'
import { exportFact } from './check.js'

/** Beside the index of a repository: all that it finds, as a file. */
export const exportInClient: ClientPart = {
  templates: [{ path: 'parts/request-file.ts', at: 'requests', view: filesView }],
  beside: (client, route) => {
    const { does } = route
    if (does.is !== 'resource' || does.operation !== 'index') return []
    const { entity } = does
    if (exportFact.in(client.api.project.blueprint, entity) === null) return []
    const { generics, listQuery } = readingOf(client, [entity])
    return [
      {
        remark: remarkOf(route, `All ${entity.plural} that are found, as CSV`),
        name: 'exportCsv',
        generics,
        parameters: [
          'api: Api',
          `query: Omit<${listQuery}, 'page' | 'perPage'>${whereOf(client, entity)} = {}`,
        ],
        answer: 'Promise<Blob>',
        call: `requestFile(api, ${pathText(route.path)}, query)`,
      },
    ]
  },
}

export interface FilesView {
  /** Some lists are asked in a body. */
  readonly hasSearches: boolean
}

function filesView(client: Client): FilesView | null {
  const { project } = client.api
  const isAny = project.entities.some((entity) => exportFact.of(entity, project) !== null)
  return isAny ? { hasSearches: hasSearches(client) } : null
}
