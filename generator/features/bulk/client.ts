import type { KnownRoute } from '../../plan/routes/routes.js'
import { pathText, remarkOf, type OperationView } from '../client/function-view.js'
import { writeOptions, type Client, type ClientPart } from '../client/names.js'
import { bodiesOf, readingOf } from '../client/reading.js'
import { typeText } from '../client/type-text.js'
import { bulkOperation, isSettable, membersOf } from './document.js'
import { bulkRouteOf } from './routes.js'

export const bulkInClient: ClientPart = {
  functions: (client, route) => [manyFunction(client, route)],
}

/** The type of a list of these. */
export const listed = (type: string) => (type.includes('&') ? `(${type})[]` : `${type}[]`)

/** Many records in one request, all or none. */
function manyFunction(client: Client, route: KnownRoute): OperationView {
  const about = bulkRouteOf(route)
  const { entity, operation } = about
  const { changed: updated, made: stored } = readingOf(client, [entity])
  const { store, patch } = bodiesOf(client, [entity])
  const members = membersOf(client.api, entity).map(
    ({ name, schema, isRequired }) => `${name}${isRequired ? '' : '?'}: ${typeText(schema)}`,
  )
  const secrets = entity.columns.filter((column) => !isSettable(column))
  const names = secrets.map(({ name }) => `'${name}'`).join(' | ')
  const made = secrets.length === 0 ? store : `Omit<${store}, ${names}>`
  const changed = secrets.length === 0 ? patch : `Omit<${patch}, ${names}>`
  const one = `{ ${['id: Id', ...members].join('; ')} }`
  const common = {
    remark: remarkOf(route, `${bulkOperation(client.api, about).summary}, or none`),
    generics: '',
  }
  const at = pathText(route.path)
  const usual = writeOptions(client)
  switch (operation) {
    case 'storeMany':
      return {
        ...{ ...common, name: 'storeMany', answer: `Promise<${listed(stored)}>` },
        parameters: ['api: Api', `bodies: readonly ${made}[]`, usual],
        call: `requestData(api, '${route.method}', ${at}, options, bodies)`,
      }
    case 'updateMany':
      return {
        ...{ ...common, name: 'patchMany', answer: `Promise<${listed(updated)}>` },
        parameters: ['api: Api', `bodies: readonly (${changed} & ${one})[]`, usual],
        call: `requestData(api, '${route.method}', ${at}, options, bodies)`,
      }
    case 'deleteMany': {
      const isNamed = membersOf(client.api, entity).some(({ isRequired }) => isRequired)
      const id = isNamed ? one : members.length === 0 ? 'Id' : `(Id | ${one})`
      return {
        ...{ ...common, name: 'deleteMany', answer: 'Promise<void>' },
        parameters: ['api: Api', `ids: readonly ${id}[]`, usual],
        call: `request(api, '${route.method}', ${at}, options, { ids })`,
      }
    }
  }
}
