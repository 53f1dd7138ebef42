import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'

const all = [
  ['POST', 'restore', 'restore'],
  ['DELETE', 'force', 'forceDelete'],
] as const

export type TrashOperation = (typeof all)[number][2]

export const isSoft = ({ columns }: Pick<Entity, 'columns'>) =>
  columns.some(({ absence }) => absence === true)

/** Routes of a repository with soft deletes. */
export const trashRoutes = (entity: Entity): readonly KnownRoute[] =>
  isSoft(entity)
    ? all.map(([method, path, operation]) => ({
        method,
        path: `/${entity.key}/:id/${path}`,
        controller: `${entity.name}Controller.${operation}`,
        policy: `${entity.name}Policy.${operation}`,
        does: {
          ...{ is: 'feature', feature: 'softDeletes', operation, entity },
          changes: { entity, isUpdate: false },
        },
      }))
    : []

export interface TrashRoute {
  readonly entity: Entity
  readonly operation: TrashOperation
}

/** Returns the operation of a route of this feature. */
export function trashRouteOf({ path, does }: KnownRoute): TrashRoute {
  const { entity, operation: said } = does.is === 'feature' ? does : {}
  const operation = all.map(([, , name]) => name).find((name) => name === said)
  if (entity !== undefined && operation !== undefined) return { entity, operation }
  throw new Error(`'${path}' is not about a trash`)
}
