import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { bulkFact } from '../bulk/check.js'
import { type Key, upsertCheck, upsertFact } from './check.js'
import { upsertInGraphql } from './graphql.js'

const folder = '#runtime/features/upsert'

export const upsert: Feature = {
  name: 'upsert',
  check: upsertCheck,
  understands: [{ in: 'query', name: 'upsertBy' }],
  entitySlots: (entity, project) => {
    const keys = upsertFact.of(entity, project)
    if (keys === null) return {}
    const { name } = entity
    const bulk = bulkFact.of(entity, project)
    const options = (bulk?.max ?? null) === null ? '' : `, { max: ${bulk?.max} }`
    const isUsers = entity.key === project.auth?.key
    const isEmail = isUsers && keys.some((key) => key.includes('email'))
    const said = `[${keys.map(keyText).join(', ')}]${isEmail ? ", { anyCase: ['email'] }" : ''}`
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [{ from: `${folder}/keys.js`, names: ['upsertBy'] }],
        'app/Http/Controllers/NameController.ts': [
          ...(bulk === null
            ? []
            : [{ from: `${folder}/many-routes.js`, names: ['upsertManyRoutes'] }]),
          { from: `${folder}/routes.js`, names: ['upsertRoutes'] },
        ],
      },
      repository_extensions: [`upsertBy(${said})`],
      controller_routes_first: [
        `.route('/', upsertRoutes(${name}Repository))`,
        ...(bulk === null ? [] : [`.route('/', upsertManyRoutes(${name}Repository${options}))`]),
      ],
    }
  },
  has: (entity, blueprint) => {
    const keys = upsertFact.in(blueprint, entity)
    if (keys === null) return null
    return `upserts by ${keys.map((key) => key.join(' and ')).join(', or by ')}`
  },
  graphql: upsertInGraphql,
  client: async () => (await import('./client.js')).upsertInClient,
  document: async () => (await import('./document.js')).upsertInDocument,
}

/** `'sku'`, or `['company_id', 'code']`. */
const keyText = (key: Key): string => {
  const [only, ...others] = key.map(literal)
  return only === undefined || others.length > 0 ? `[${key.map(literal).join(', ')}]` : only
}
