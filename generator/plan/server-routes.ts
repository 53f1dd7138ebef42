import type { Blueprint, Entity, Relation } from '../blueprint/types.js'
import { authActions, type AuthAction } from './auth-actions.js'
import type { Served } from './served-routes.js'
import { suffixOf } from './views/policy.js'

/** A route of the server, as `svc routes` lists it. */
export interface Route {
  readonly method: string
  readonly path: string
  /** Controller and method, or the function or its place; and the policy methods asked; null: none is. */
  readonly controller: string
  readonly policy: string | null
}

/** A route of svc's own, and what it does. */
export interface KnownRoute extends Route {
  readonly does: Does
}

export type Does =
  | { readonly is: 'resource'; readonly operation: Operation; readonly entity: Entity }
  | {
      readonly is: 'related'
      readonly operation: Operation
      readonly entity: Entity
      /** The relation, or the morph that leads to one of several repositories. */
      readonly key: string
    }
  | {
      readonly is: 'pivot'
      readonly operation: PivotOperation
      readonly entity: Entity
      readonly relation: Relation
    }
  | { readonly is: 'auth'; readonly action: AuthAction['action']; readonly rest: string }
  | { readonly is: 'health' | 'graphql' | 'document' | 'metrics' }

/** Where the server mounts `routes/api.ts`. */
export const apiPath = '/api'

/** What `routes/api.ts` registers as svc writes it. */
export const usualApi = ({ auth }: Pick<Blueprint, 'auth'>): readonly Served[] => [
  ...(auth === null ? [] : [{ is: 'svcAuth' as const, below: '', actions: null }]),
  { is: 'svcResources', below: '' },
]

export const healthRoutes: readonly KnownRoute[] = ['/health', '/ready'].map((path) => {
  return { method: 'GET', path, controller: 'app/app.ts', policy: null, does: { is: 'health' } }
})

/** Where the document of the API is served, if it is. */
export const documentRoute: KnownRoute = {
  method: 'GET',
  path: '/openapi.json',
  controller: 'app/OpenApi/endpoint.ts',
  policy: null,
  does: { is: 'document' },
}

/** What operators watch, in projects that ask for it. */
export const metricsRoute: KnownRoute = {
  method: 'GET',
  path: '/metrics',
  controller: 'app/metrics.ts',
  policy: null,
  does: { is: 'metrics' },
}

/** What one line of a file of routes registers; a route of the developer's is known where svc has the same. */
export function routesOf(
  served: Exclude<Served, { is: 'unread' }>,
  base: string,
  blueprint: Blueprint,
): readonly (Route | KnownRoute)[] {
  if (served.is === 'own') return [ownRoute(served, base, blueprint)]
  const below = base + served.below
  if (served.is === 'svcAuth') return authRoutes(below, blueprint, served.actions)
  return served.is === 'svcGraphql' ? graphqlRoutes(below) : resourcesRoutes(below, blueprint)
}

/** Published controllers of signing in ask what svc's do. */
function ownRoute(
  { method, path, handler }: Extract<Served, { is: 'own' }>,
  base: string,
  blueprint: Blueprint,
): Route {
  const own = { method, path: base + path, controller: handler, policy: null }
  const isSame = (route: Route) =>
    route.method === method && route.path === own.path && route.controller === handler
  return authRoutes(base, blueprint, null).find(isSame) ?? own
}

const graphqlRoutes = (path: string): readonly KnownRoute[] =>
  ['POST', 'GET'].map((method) => {
    const controller = 'routes/graphql.ts'
    return { method, path, controller, policy: null, does: { is: 'graphql' } }
  })

/** Routes of signing in ask no policy, but for the update of a profile, which asks that of users. */
function authRoutes(
  below: string,
  { auth, entities }: Blueprint,
  actions: readonly AuthAction['action'][] | null,
): readonly KnownRoute[] {
  const users = entities.find(({ key }) => key === auth)?.name
  const isWrite = (method: string) => method === 'PUT' || method === 'PATCH'
  return authActions
    .filter(({ action }) => actions?.includes(action) ?? true)
    .flatMap(({ action, path, controller, routes }) =>
      routes.map(([method, rest]): KnownRoute => {
        const asks = action === 'profile' && isWrite(method) && users !== undefined
        const policy = asks ? `${users}Policy.update` : null
        const does = { is: 'auth', action, rest } as const
        return { method, path: `${below}${path}${rest}`, controller, policy, does }
      }),
    )
}

function resourcesRoutes(below: string, { entities }: Blueprint): readonly KnownRoute[] {
  const names = new Map(entities.map(({ key, name }) => [key, name]))
  const all = entities.flatMap((entity) => [
    ...resourceRoutes(entity),
    ...entity.relations.flatMap((relation) => pivotRoutes(entity, relation)),
    ...entity.relations.flatMap((relation) => relatedRoutes(entity, relation, names)),
    ...(entity.morphs ?? []).flatMap(({ key, targets }) =>
      belowRoutes(entity, key, targets, false, names),
    ),
  ])
  return all.map((route) => ({ ...route, path: `${below}/svc${route.path}` }))
}

const operations = [
  ['GET', '', 'index', 'show'],
  ['POST', '', 'store', 'store'],
  ['GET', '/:id', 'show', 'show'],
  ['PUT', '/:id', 'update', 'update'],
  ['PATCH', '/:id', 'patch', 'update'],
  ['DELETE', '/:id', 'delete', 'delete'],
] as const

export type Operation = (typeof operations)[number][2]

function resourceRoutes(entity: Entity): readonly KnownRoute[] {
  const { key, name } = entity
  return operations.map(([method, rest, operation, policy]) => ({
    method,
    path: `/${key}${rest}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${policy}`,
    does: { is: 'resource', operation, entity },
  }))
}

const pivotOperations = ['attach', 'sync', 'detach'] as const

export type PivotOperation = (typeof pivotOperations)[number]

function pivotRoutes(entity: Entity, relation: Relation): readonly KnownRoute[] {
  const { key, name } = entity
  if (relation.pivot === null) return []
  return pivotOperations.map((operation) => ({
    method: 'POST',
    path: `/${key}/:id/${operation}/${relation.key}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${operation}${suffixOf(relation.key)}`,
    does: { is: 'pivot', operation, entity, relation },
  }))
}

function relatedRoutes(
  entity: Entity,
  { key, kind, pivot, target }: Relation,
  names: Names,
): readonly KnownRoute[] {
  const pointsBack = kind !== 'belongsTo' && pivot === null
  return belowRoutes(entity, key, [target], pointsBack, names)
}

/** Names of repositories by key. */
type Names = ReadonlyMap<string, string>

/** Records below a parent, which must be visible; only those that point at it can be made there. */
function belowRoutes(
  entity: Entity,
  key: string,
  targets: readonly string[],
  pointsBack: boolean,
  names: Names,
): readonly KnownRoute[] {
  const asked = targets.map((target) => names.get(target) ?? target)
  return operations
    .filter(([, , operation]) => operation !== 'store' || pointsBack)
    .map(([method, rest, operation, policy]) => ({
      method,
      path: `/${entity.key}/:id/${key}${rest.replace(':id', ':relatedId')}`,
      controller: `${entity.name}Controller.related.${operation}`,
      policy: `${entity.name}Policy.show, ${asked.map((name) => `${name}Policy.${policy}`).join(' or ')}`,
      does: { is: 'related', operation, entity, key },
    }))
}
