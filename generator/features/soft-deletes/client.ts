import type { KnownRoute } from '../../plan/routes/routes.js'
import { idsIn, pathText, remarkOf, type OperationView } from '../client/function-view.js'
import { recordPartOf, writeOptions, type Client, type ClientPart } from '../client/names.js'
import { readingOf } from '../client/reading.js'
import { trashOperation } from './document.js'
import { isSoft, trashRouteOf } from './routes.js'

export const trashInClient: ClientPart = {
  functions: (client, route) => [trashFunction(client, route)],
  meta: (_, entity) =>
    isSoft(entity) ? '{ authorizedToRestore: boolean; authorizedToForceDelete: boolean }' : null,
  asked: (_, entity) => (isSoft(entity) ? [trashed] : []),
  askedOfOne: (_, entity) => (isSoft(entity) ? [trashed] : []),
}

const trashed = {
  property: 'trashed',
  isOptional: true,
  type: "'with' | 'only'",
  remark: 'Records of the trash, too or alone.',
}

/** Brings a record back, or deletes it for good. */
function trashFunction(client: Client, route: KnownRoute): OperationView {
  const about = trashRouteOf(route)
  const { entity, operation } = about
  const isBack = operation === 'restore'
  const hasPart = recordPartOf(client, entity) !== null
  const options = hasPart ? 'options: ChangeOptions = {}' : writeOptions(client)
  const { plain } = readingOf(client, [entity], null)
  return {
    remark: remarkOf(route, trashOperation(client.api, about).summary),
    name: operation,
    generics: '',
    parameters: ['api: Api', ...idsIn(route.path), options],
    answer: isBack ? `Promise<${plain}>` : 'Promise<void>',
    call: `${isBack ? 'requestData' : 'request'}(api, '${route.method}', ${pathText(route.path)}, options)`,
  }
}
