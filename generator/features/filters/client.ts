import type { KnownRoute } from '../../plan/routes/routes.js'
import { pathText, remarkOf, type OperationView } from '../client/function-view.js'
import type { Client, ClientPart } from '../client/names.js'
import { filtersOperation } from './document.js'

export const filtersInClient: ClientPart = {
  functions: (client, route) => [filtersFunction(client, route)],
  templates: [{ path: 'parts/askables.ts', at: 'types', view: () => ({}) }],
}

function filtersFunction(client: Client, route: KnownRoute): OperationView {
  return {
    remark: remarkOf(route, filtersOperation(client.api, route).summary),
    name: 'filters',
    generics: '',
    parameters: ['api: Api', 'query: AskablesQuery = {}'],
    answer: 'Promise<Askables>',
    call: `requestData(api, 'GET', ${pathText(route.path)}, query)`,
  }
}
