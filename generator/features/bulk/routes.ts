import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute, Routed } from '../../plan/routes/routes.js'
import { bulkFact } from './check.js'

const all = [
  { method: 'POST', path: 'bulk', operation: 'storeMany', question: 'store' },
  { method: 'PATCH', path: 'bulk', operation: 'updateMany', question: 'update' },
  {
    method: 'POST',
    path: 'bulk/update',
    operation: 'updateMany',
    question: 'update',
    isAlias: true,
  },
  { method: 'POST', path: 'bulk/delete', operation: 'deleteMany', question: 'delete' },
  {
    method: 'DELETE',
    path: 'bulk/delete',
    operation: 'deleteMany',
    question: 'delete',
    isAlias: true,
  },
] as const

export type BulkOperation = (typeof all)[number]['operation']

/** Routes of a repository that takes many records at once. */
export function bulkRoutesOf(entity: Entity, { blueprint }: Routed): readonly KnownRoute[] {
  if (bulkFact.in(blueprint, entity) === null) return []
  return all.map(({ method, path, operation, question, ...more }) => ({
    ...more,
    method,
    path: `/${entity.key}/${path}`,
    controller: `${entity.name}Controller.${operation}`,
    policy: `${entity.name}Policy.${question}`,
    does: { is: 'feature', feature: 'bulk', operation, entity },
  }))
}

export interface BulkRoute {
  readonly entity: Entity
  readonly operation: BulkOperation
}

/** Returns the operation of a route of this feature. */
export function bulkRouteOf({ path, does }: KnownRoute): BulkRoute {
  const { entity, operation: said } = does.is === 'feature' ? does : {}
  const operation = all.find((each) => each.operation === said)?.operation
  if (entity !== undefined && operation !== undefined) return { entity, operation }
  throw new Error(`'${path}' is not about many records`)
}
