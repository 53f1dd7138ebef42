import { formatProblems } from '../blueprint/problems.js'
import type { Blueprint, Entity, Relation } from '../blueprint/types.js'
import { authActions } from '../plan/auth-actions.js'
import { suffixOf } from '../plan/views/policy.js'
import { exitCodes } from './failure.js'
import { readGraphql } from './graphql-facts.js'
import { readBlueprint } from './read-blueprint.js'

export interface Route {
  readonly method: string
  readonly path: string
  /** Controller and method, and the policy method asked; null: none is. */
  readonly controller: string
  readonly policy: string | null
}

export async function listRoutes(
  root: string,
): Promise<{ lines: readonly string[]; json: object; exitCode: number }> {
  const read = await readBlueprint(root)
  if ('problems' in read) {
    const { problems } = read
    return { lines: [formatProblems(problems)], json: { problems }, exitCode: exitCodes.problems }
  }
  const asked = await readGraphql(root, read.blueprint)
  const hasGraphql = 'graphql' in asked && asked.graphql.settings.enabled
  const routes = [...routesOf(read.blueprint), ...(hasGraphql ? graphqlRoutes : [])]
  return { lines: table(routes), json: routes, exitCode: exitCodes.done }
}

export function routesOf(blueprint: Blueprint): readonly Route[] {
  return [
    ...(blueprint.auth === null ? [] : authRoutes()),
    ...blueprint.entities.flatMap((entity) => [
      ...resourceRoutes(entity),
      ...entity.relations.flatMap((relation) => pivotRoutes(entity, relation)),
      ...entity.relations.flatMap((relation) => relatedRoutes(entity, relation, blueprint)),
    ]),
    { method: 'GET', path: '/health', controller: 'app/app.ts', policy: null },
    { method: 'GET', path: '/ready', controller: 'app/app.ts', policy: null },
  ]
}

const graphqlRoutes: readonly Route[] = ['POST', 'GET'].map((method) => ({
  method,
  path: '/graphql',
  controller: 'routes/graphql.ts',
  policy: null,
}))
/** Routes of signing in ask no policy, but for the update of a profile, which asks that of users. */
function authRoutes(): readonly Route[] {
  return authActions.flatMap(({ path, controller, routes }) =>
    routes.map(([method, rest]) => {
      return { method, path: `/api${path}${rest}`, controller, policy: null }
    }),
  )
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
    path: `/api/svc/${key}${rest}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${policy}`,
  }))
}

const pivotOperations = ['attach', 'sync', 'detach'] as const

function pivotRoutes({ key, name }: Entity, relation: Relation): readonly Route[] {
  if (relation.pivot === null) return []
  return pivotOperations.map((operation) => ({
    method: 'POST',
    path: `/api/svc/${key}/:id/${operation}/${relation.key}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${operation}${suffixOf(relation.key)}`,
  }))
}

/** Records below a parent; only those that point at it can be made there. */
function relatedRoutes(
  { key, name }: Entity,
  relation: Relation,
  { entities }: Blueprint,
): readonly Route[] {
  const target = entities.find((entity) => entity.key === relation.target)
  const pointsBack = relation.kind !== 'belongsTo' && relation.pivot === null
  return operations
    .filter(([, , operation]) => operation !== 'store' || pointsBack)
    .map(([method, rest, operation, policy]) => ({
      method,
      path: `/api/svc/${key}/:id/${relation.key}${rest.replace(':id', ':relatedId')}`,
      controller: `${name}Controller.related.${operation}`,
      policy: `${target?.name ?? name}Policy.${policy}`,
    }))
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
