import type { Entity, HasEntity } from '../../model/entity.js'
import { ownOperations } from './own-operations.js'

/** The operation of a request, and its repository. */
interface ReadRequest {
  readonly entity: Entity
  readonly id: string | null
  /** `/posts/7/comments`: below a record. */
  readonly relation: string | null
  /** `index` is of a list, `store` of a new record, all others of one. */
  readonly operation: string
  /** PUT. */
  readonly isWhole: boolean
}

const ofRecords = { GET: 'show', HEAD: 'show', PUT: 'update', PATCH: 'update', DELETE: 'delete' }

/** Null: it is of no list and no record that a repository has routes for. */
export function readRequest(
  repositories: readonly HasEntity[],
  method: string,
  target: string,
): ReadRequest | null {
  const { pathname } = new URL(target, 'http://server')
  const parts = pathname.split('/').flatMap((part) => (part === '' ? [] : [decoded(part)]))
  const known = new Map(repositories.map(({ definition }) => [definition.key, definition]))
  const at = parts.findIndex((part) => known.has(part))
  const [key = '', id = null, relation = null, ...more] = at === -1 ? [] : parts.slice(at)
  const entity = known.get(key)
  if (entity === undefined) return null
  const below = relation === null ? null : [relation, ...more].join('/')
  const own = ownOperations(entity).find((each) => each.method === method && each.path === below)
  // A list that is asked in a body.
  if (method === 'POST' && id === 'search' && relation === null && takesBodies(entity)) {
    return { entity, id: null, relation, operation: 'index', isWhole: false }
  }
  if (own !== undefined) return { entity, id, relation: null, operation: own.name, isWhole: false }
  if (more.length > 0) return null
  const operation = operationOf(method, id, relation)
  return operation === null ? null : { entity, id, relation, operation, isWhole: method === 'PUT' }
}

const takesBodies = ({ extensions }: Entity): boolean =>
  extensions.some(({ read }) => read?.filter?.owns?.includes('where') === true)

function operationOf(method: string, id: string | null, relation: string | null): string | null {
  if (id === null || relation !== null) {
    if (method === 'GET' || method === 'HEAD' || method === 'QUERY') return 'index'
    return method === 'POST' && id === null ? 'store' : null
  }
  return Object.entries(ofRecords).find(([name]) => name === method)?.[1] ?? null
}

/** As it stands, where it is no escape. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
