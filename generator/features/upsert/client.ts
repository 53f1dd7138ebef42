import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { literal } from '../../source/literal.js'
import { listed } from '../bulk/client.js'
import { isSettable, membersOf } from '../bulk/document.js'
import { pathText, remarkOf, type OperationView } from '../client/function-view.js'
import { recordPartOf, writeOptions, type Client, type ClientPart } from '../client/names.js'
import { bodiesOf, readingOf } from '../client/reading.js'
import { typeText } from '../client/type-text.js'
import { upsertFact } from './check.js'
import { upsertOf } from './document.js'

/** Beside what makes records: what makes them, or changes those that are there. */
export const upsertInClient: ClientPart = {
  beside: (client, route) => {
    const about = upsertOf(client.api, route)
    if (about === null) return []
    const { entity, isMany } = about
    return [isMany ? manyFunction(client, route, entity) : oneFunction(client, route, entity)]
  },
}

function oneFunction(client: Client, route: KnownRoute, entity: Entity): OperationView {
  const { store, patch } = bodiesOf(client, [entity])
  const { changed } = readingOf(client, [entity])
  const hasPart = recordPartOf(client, entity) !== null
  const options = hasPart ? 'options: ChangeOptions = {}' : writeOptions(client)
  return {
    remark: remarkOf(route, `Make a ${entity.singular}, or change the one with that key`),
    name: 'upsert',
    generics: '',
    parameters: ['api: Api', keyOf(client, entity), `body: ${store} | ${patch}`, options],
    answer: `Promise<{ data: ${changed}; meta: { created: boolean } }>`,
    call: `request(api, '${route.method}', ${pathText(route.path)}, { ...options, upsertBy: by }, body)`,
  }
}

function manyFunction(client: Client, route: KnownRoute, entity: Entity): OperationView {
  const { store, patch } = bodiesOf(client, [entity])
  const { changed } = readingOf(client, [entity])
  const members = membersOf(client.api, entity).map(
    ({ name, schema }) => `${name}?: ${typeText(schema)}`,
  )
  const secrets = entity.columns.filter((column) => !isSettable(column))
  const names = secrets.map(({ name }) => literal(name)).join(' | ')
  const settable = (body: string) => (secrets.length === 0 ? body : `Omit<${body}, ${names}>`)
  const beside = members.length === 0 ? '' : ` & { ${members.join('; ')} }`
  const row = `${settable(store)} | (${settable(patch)}${beside})`
  return {
    remark: remarkOf(route, `Make ${entity.plural}, or change those with these keys, or none`),
    name: 'upsertMany',
    generics: '',
    parameters: [
      'api: Api',
      keyOf(client, entity),
      `bodies: readonly (${row})[]`,
      writeOptions(client),
    ],
    answer: `Promise<{ data: ${listed(changed)}; meta: { created: boolean[] } }>`,
    call: `request(api, '${route.method}', ${pathText(route.path)}, { ...options, upsertBy: by }, bodies)`,
  }
}

const keyOf = ({ api }: Client, entity: Entity): string =>
  `by: ${(upsertFact.of(entity, api.project) ?? []).map((key) => literal(key.join())).join(' | ')}`
