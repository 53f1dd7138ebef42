import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblems } from '../blueprint/problems.js'
import type { Blueprint, Entity, MorphTo, Relation } from '../blueprint/types.js'
import { authActions, type AuthAction } from '../plan/auth-actions.js'
import type { ReadText, Served } from '../plan/served-routes.js'
import { suffixOf } from '../plan/views/policy.js'
import { exitCodes } from './failure.js'
import { readGraphql } from './graphql-facts.js'
import { readBlueprint } from './read-blueprint.js'

export interface Route {
  readonly method: string
  readonly path: string
  /** Controller and method, or the function or its place; and the policy methods asked; null: none is. */
  readonly controller: string
  readonly policy: string | null
}

/** What routes/ says and svc does not run: where, and how the line begins. */
interface Unread {
  readonly method: null
  readonly path: null
  readonly controller: string
  readonly policy: null
  readonly unread: string
}

// `inspectRoutes` of hono/dev wants a server that runs: its packages installed, its environment set. Nor does it know policies.

/** What the server serves: the manifest says what a repository has, the files in routes/ what is registered. */
export async function listRoutes(
  root: string,
): Promise<{ lines: readonly string[]; json: object; exitCode: number }> {
  const read = await readBlueprint(root)
  if ('problems' in read) {
    const { problems } = read
    return { lines: [formatProblems(problems)], json: { problems }, exitCode: exitCodes.problems }
  }
  const { blueprint } = read
  const asked = await readGraphql(root, blueprint)
  const hasGraphql = 'graphql' in asked && asked.graphql.settings.enabled
  const all = [
    ...(await routesOfFile(root, apiFile, blueprint)),
    ...health,
    ...(hasGraphql ? await routesOfFile(root, graphqlFile, blueprint) : []),
  ]
  const routes = all.filter((each): each is Route => !isUnread(each))
  const unread = all.filter(isUnread)
  return { lines: [...table(routes), ...unreadLines(unread)], json: all, exitCode: exitCodes.done }
}

interface RoutesFile {
  readonly path: string
  /** The variable that holds the routes, and where the server mounts it. */
  readonly name: string
  readonly below: string
  /** What svc writes there. */
  readonly usual: (blueprint: Blueprint) => readonly Served[]
}

const apiFile: RoutesFile = {
  path: 'routes/api.ts',
  name: 'api',
  below: '/api',
  usual: ({ auth }) => [
    ...(auth === null ? [] : [{ is: 'svcAuth' as const, below: '', actions: null }]),
    { is: 'svcResources', below: '' },
  ],
}

const graphqlFile: RoutesFile = {
  path: 'routes/graphql.ts',
  name: 'graphql',
  below: '/graphql',
  usual: () => [{ is: 'svcGraphql', below: '' }],
}

const health: readonly Route[] = ['/health', '/ready'].map((path) => {
  return { method: 'GET', path, controller: 'app/app.ts', policy: null }
})

async function routesOfFile(
  root: string,
  { path, name, below, usual }: RoutesFile,
  blueprint: Blueprint,
): Promise<readonly (Route | Unread)[]> {
  const read = readerIn(root)
  if (read(path) === null) {
    return usual(blueprint).flatMap((served) => routesOf(served, below, blueprint))
  }
  const { servedRoutes } = await import('../plan/served-routes.js')
  const served = servedRoutes(path, name, read)
  if (served === null) return [unread(path, 'it is no TypeScript')]
  return served.flatMap((each) => routesOf(each, below, blueprint))
}

const readerIn =
  (root: string): ReadText =>
  (path) => {
    try {
      return readFileSync(join(root, path), 'utf8')
    } catch {
      return null
    }
  }

function routesOf(served: Served, base: string, blueprint: Blueprint): readonly (Route | Unread)[] {
  if (served.is === 'unread') return [unread(served.place, served.text)]
  if (served.is === 'own') return [ownRoute(served, base, blueprint)]
  const below = base + served.below
  if (served.is === 'svcAuth') return authRoutes(below, blueprint, served.actions)
  return served.is === 'svcGraphql' ? graphqlRoutes(below) : resourcesRoutes(below, blueprint)
}

const isUnread = (each: Route | Unread): each is Unread => 'unread' in each

const unread = (controller: string, text: string): Unread => {
  return { method: null, path: null, controller, policy: null, unread: text }
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

const graphqlRoutes = (path: string): readonly Route[] =>
  ['POST', 'GET'].map((method) => {
    return { method, path, controller: 'routes/graphql.ts', policy: null }
  })

/** Routes of signing in ask no policy, but for the update of a profile, which asks that of users. */
function authRoutes(
  below: string,
  { auth, entities }: Blueprint,
  actions: readonly AuthAction['action'][] | null,
): readonly Route[] {
  const users = entities.find(({ key }) => key === auth)?.name
  const isWrite = (method: string) => method === 'PUT' || method === 'PATCH'
  return authActions
    .filter(({ action }) => actions?.includes(action) ?? true)
    .flatMap(({ action, path, controller, routes }) =>
      routes.map(([method, rest]) => {
        const asks = action === 'profile' && isWrite(method) && users !== undefined
        const policy = asks ? `${users}Policy.update` : null
        return { method, path: `${below}${path}${rest}`, controller, policy }
      }),
    )
}

function resourcesRoutes(below: string, blueprint: Blueprint): readonly Route[] {
  const all = blueprint.entities.flatMap((entity) => [
    ...resourceRoutes(entity),
    ...entity.relations.flatMap((relation) => pivotRoutes(entity, relation)),
    ...entity.relations.flatMap((relation) => relatedRoutes(entity, relation, blueprint)),
    ...(entity.morphs ?? []).flatMap((morph) => relatedRoutes(entity, morph, blueprint)),
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

function resourceRoutes({ key, name }: Entity): readonly Route[] {
  return operations.map(([method, rest, operation, policy]) => ({
    method,
    path: `/${key}${rest}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${policy}`,
  }))
}

const pivotOperations = ['attach', 'sync', 'detach'] as const

function pivotRoutes({ key, name }: Entity, relation: Relation): readonly Route[] {
  if (relation.pivot === null) return []
  return pivotOperations.map((operation) => ({
    method: 'POST',
    path: `/${key}/:id/${operation}/${relation.key}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${operation}${suffixOf(relation.key)}`,
  }))
}

/** Records below a parent, which must be visible; only those that point at it can be made there. */
function relatedRoutes(
  { key, name }: Entity,
  relation: Relation | MorphTo,
  { entities }: Blueprint,
): readonly Route[] {
  const keys = 'targets' in relation ? relation.targets : [relation.target]
  const targets = entities.filter((entity) => keys.includes(entity.key))
  return operations
    .filter(([, , operation]) => operation !== 'store' || pointsBack(relation))
    .map(([method, rest, operation, policy]) => ({
      method,
      path: `/${key}/:id/${relation.key}${rest.replace(':id', ':relatedId')}`,
      controller: `${name}Controller.related.${operation}`,
      policy: `${name}Policy.show, ${targets.map((each) => `${each.name}Policy.${policy}`).join(' or ')}`,
    }))
}

const pointsBack = (relation: Relation | MorphTo): boolean =>
  'pivot' in relation && relation.kind !== 'belongsTo' && relation.pivot === null

/** One line for all that is not in the list. */
function unreadLines(unread: readonly Unread[]): readonly string[] {
  if (unread.length === 0) return []
  const places = unread.map(({ controller, unread: text }) => `${controller} ${text}`)
  return ['', `Not listed, because svc does not run them: ${[...new Set(places)].join('; ')}`]
}

function table(routes: readonly Route[]): readonly string[] {
  const rows = routes.map(({ method, path, controller, policy }) => {
    return [method, path, controller, policy ?? '-']
  })
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
