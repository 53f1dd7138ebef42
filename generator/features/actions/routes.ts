import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute, Routed } from '../../plan/routes/routes.js'
import {
  actionsFact,
  getMethod,
  runMethod,
  type DeclaredAction,
  type DeclaredGetter,
} from './check.js'

/** Routes of the actions and getters of a repository. */
export function actionRoutesOf(entity: Entity, { blueprint }: Routed): readonly KnownRoute[] {
  const said = actionsFact.in(blueprint, entity)
  if (said === null) return []
  const { actions, getters } = said
  return [
    ...(actions.length === 0 ? [] : listRoutes(entity, 'actions', actions)),
    ...actions.flatMap((action) => runRoutes(entity, action)),
    ...(getters.length === 0 ? [] : listRoutes(entity, 'getters', getters)),
    ...getters.map((getter) => getterRoute(entity, getter)),
  ]
}

/** Records that some of them are about have a list of their own. */
function listRoutes(
  entity: Entity,
  word: 'actions' | 'getters',
  all: readonly (DeclaredAction | DeclaredGetter)[],
): readonly KnownRoute[] {
  const route = (path: string, isOfOne: boolean): KnownRoute => ({
    method: 'GET',
    path: `/${entity.key}/${path}`,
    controller: `${entity.name}Controller.${word}`,
    // Each is listed for everybody; a record is only there for those who see it.
    policy: isOfOne ? `${entity.name}Policy.show` : null,
    does: {
      ...{ is: 'feature', feature: 'actions', entity, onlyReads: true },
      operation: isOfOne ? `${word}OfOne` : word,
    },
  })
  const isOfRecord = all.some(({ on }) => on !== 'none')
  return [route(word, false), ...(isOfRecord ? [route(`:id/${word}`, true)] : [])]
}

function runRoutes(entity: Entity, { name, on }: DeclaredAction): readonly KnownRoute[] {
  const route = (path: string, operation: 'runMany' | 'runOne' | 'runNone'): KnownRoute => ({
    method: 'POST',
    path: `/${entity.key}/${path}`,
    controller: `${entity.name}Controller.actions`,
    policy: `${entity.name}Policy.${runMethod(name)}`,
    does: {
      ...{ is: 'feature', feature: 'actions', operation, entity, name },
      ...(operation === 'runOne' ? { changes: { entity, isUpdate: false } } : {}),
    },
  })
  return [
    ...(on === 'one' ? [] : [route(`actions/${name}`, on === 'many' ? 'runMany' : 'runNone')]),
    ...(on === 'none' ? [] : [route(`:id/actions/${name}`, 'runOne')]),
  ]
}

const getterRoute = (entity: Entity, { name, on }: DeclaredGetter): KnownRoute => ({
  method: 'GET',
  path: on === 'one' ? `/${entity.key}/:id/getters/${name}` : `/${entity.key}/getters/${name}`,
  controller: `${entity.name}Controller.getters`,
  policy: `${entity.name}Policy.${getMethod(name)}`,
  does: {
    ...{ is: 'feature', feature: 'actions', entity, name, onlyReads: true },
    operation: on === 'one' ? 'getOne' : 'getNone',
  },
})

const operations = [
  ...(['actions', 'actionsOfOne', 'getters', 'gettersOfOne'] as const),
  ...(['runMany', 'runOne', 'runNone'] as const),
  ...(['getOne', 'getNone'] as const),
] as const

export interface ActionRoute {
  readonly entity: Entity
  readonly operation: (typeof operations)[number]
  /** The name of the action or getter; empty in lists. */
  readonly name: string
}

/** Returns the operation of a route of this feature. */
export function actionRouteOf({ path, does }: KnownRoute): ActionRoute {
  if (does.is === 'feature' && does.entity !== undefined) {
    const operation = operations.find((name) => name === does.operation)
    if (operation !== undefined) return { entity: does.entity, operation, name: does.name ?? '' }
  }
  throw new Error(`'${path}' is not about actions`)
}
