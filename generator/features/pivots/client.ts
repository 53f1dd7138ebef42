import { studly } from '../../blueprint/names/names.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { idsIn, pathText, remarkOf, type OperationView } from '../client/function-view.js'
import { writeOptions, type Client, type ClientPart } from '../client/names.js'
import { objectText } from '../client/type-text.js'
import { pivotOperation, pivotSchemas } from './document.js'
import { pivotRouteOf } from './routes.js'

export const pivotsInClient: ClientPart = {
  functions: (client, route) => [pivotFunction(client, route)],
}

/** Attaches, syncs or detaches. */
function pivotFunction(client: Client, route: KnownRoute): OperationView {
  const { api, name } = client
  const about = pivotRouteOf(route)
  const { entity, operation, relation } = about
  const { key } = relation
  const { summary, responses } = pivotOperation(api, about)
  const schemas = pivotSchemas(api, entity)
  const body = { attach: 'Attach', sync: 'Sync', detach: 'Detach' }[operation]
  const sent = objectText(schemas[`${api.prefix(entity)}.${key}.${body}`] ?? {}, true)
  const row = `${name(entity)}${studly(key)}Row[]`
  // Callbacks of the hooks answer what they like, with 200.
  const isCalled = operation !== 'sync' && responses.success['200'] !== undefined
  const answer = isCalled ? 'unknown' : operation === 'detach' ? 'void' : row
  const send = answer === row ? 'requestData' : 'request'
  return {
    remark: remarkOf(route, summary),
    name: operation + studly(key),
    generics: '',
    parameters: ['api: Api', ...idsIn(route.path), `body: ${sent}`, writeOptions(client)],
    answer: `Promise<${answer}>`,
    call: `${send}(api, 'POST', ${pathText(route.path)}, options, body)`,
  }
}
