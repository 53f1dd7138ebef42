import type { Entity, Relation } from '../../blueprint/types.js'
import {
  operations,
  type KnownRoute,
  type Registration,
  type Route,
  type Routed,
  type RoutesFile,
} from './routes.js'
import type { Served } from './served-routes.js'

/** The path at which the server mounts `routes/api.ts`. */
export const apiPath = '/api'

export const apiFile: RoutesFile = { path: 'routes/api.ts', name: 'api', below: apiPath }

const resources: Registration = {
  name: 'svcResources',
  file: apiFile.path,
  routes: (below, project) => resourcesRoutes(below, project),
}

const registrationsOf = ({ features }: Routed): readonly Registration[] => [
  ...features.flatMap(({ registrations = [] }) => registrations),
  resources,
]

/** Returns the routes of a file as svc writes it. */
export const usualRoutes = ({ path, below }: RoutesFile, project: Routed): readonly KnownRoute[] =>
  registrationsOf(project)
    .filter(({ file }) => file === path)
    .flatMap(({ routes }) => routes(below, project, {}) ?? [])

/**
 * Returns the routes of a line; a developer's route is known where svc has the same. Null: unknown.
 */
export function routesOf(
  served: Exclude<Served, { is: 'unread' }>,
  base: string,
  project: Routed,
): readonly (Route | KnownRoute)[] | null {
  if (served.is === 'own') return [ownRoute(served, base, project)]
  const called = registrationsOf(project).find(({ name }) => name === served.name)
  return called?.routes(base + served.below, project, served.lists) ?? null
}

/** Published controllers do what svc's do. */
function ownRoute(
  { method, path, handler }: Extract<Served, { is: 'own' }>,
  base: string,
  project: Routed,
): Route {
  const own = { method, path: base + path, controller: handler, policy: null }
  const isSame = (route: Route) =>
    route.method === method && route.path === own.path && route.controller === handler
  const known = project.features
    .flatMap(({ registrations = [] }) => registrations)
    .flatMap(({ routes }) => routes(base, project, {}) ?? [])
  return known.find(isSame) ?? own
}

export const healthRoutes: readonly KnownRoute[] = ['/health', '/ready'].map((path) => {
  return { method: 'GET', path, controller: 'app/app.ts', policy: null, does: { is: 'health' } }
})

function resourcesRoutes(below: string, routed: Routed): readonly KnownRoute[] {
  const { entities, features } = routed
  const names = new Map(entities.map(({ key, name }) => [key, name]))
  const common = features.flatMap(({ commonRoutes }) => commonRoutes?.(routed) ?? [])
  const ofEntities = entities.flatMap((entity) => [
    ...resourceRoutes(entity),
    ...features.flatMap(({ entityRoutes }) => entityRoutes?.(entity, routed) ?? []),
    ...entity.relations.flatMap((relation) => relatedRoutes(entity, relation, names)),
    ...(entity.morphs ?? []).flatMap(({ key, targets }) =>
      belowRoutes(entity, key, targets, reads, names),
    ),
  ])
  return [...common, ...ofEntities].map((route) => ({
    ...route,
    path: `${below}/svc${route.path}`,
  }))
}

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

function relatedRoutes(
  entity: Entity,
  { key, kind, pivot, target, routes }: Relation,
  names: Names,
): readonly KnownRoute[] {
  if (routes === false) return []
  const changes = pivot === null ? operations : allButStore
  return belowRoutes(entity, key, [target], kind === 'belongsTo' ? reads : changes, names)
}

/** With the records of a many-to-many relation, and with the one that a record belongs to. */
const allButStore = operations.filter(([, , operation]) => operation !== 'store')
const reads = operations.filter(([method]) => method === 'GET')

/** Names of repositories by key. */
type Names = ReadonlyMap<string, string>

/** Records below a parent, which must be visible. */
function belowRoutes(
  entity: Entity,
  key: string,
  targets: readonly string[],
  served: readonly (typeof operations)[number][],
  names: Names,
): readonly KnownRoute[] {
  const asked = targets.map((target) => names.get(target) ?? target)
  return served.map(([method, rest, operation, policy]) => ({
    method,
    path: `/${entity.key}/:id/${key}${rest.replace(':id', ':relatedId')}`,
    controller: `${entity.name}Controller.related.${operation}`,
    policy: `${entity.name}Policy.show, ${asked.map((name) => `${name}Policy.${policy}`).join(' or ')}`,
    does: { is: 'related', operation, entity, key },
  }))
}
