import type { Json } from '../../blueprint/types.js'
import type { Project } from '../project.js'
import {
  apiPath,
  documentRoute,
  healthRoutes,
  routesOf,
  usualApi,
  type KnownRoute,
} from '../server-routes.js'
import { apiOf, type Api } from './api.js'
import { authOperation } from './auth-operations.js'
import { componentsOf } from './components.js'
import { objectOf } from './entity-schemas.js'
import type { Data } from './facts.js'
import { open, operationData, type Operation } from './operation.js'
import { merged } from './own.js'
import { pivotOperation } from './pivot-operations.js'
import { relatedOperation } from './related-operations.js'
import { resourceOperation } from './resource-operations.js'
import { sorted } from './sorted.js'
import { json, responses } from './statuses.js'

const description = `Every list answers one page. Lists of names may also be sent as \`include[]=a&include[]=b\`.
A parameter that an operation does not know changes nothing, and a field of a body that is unknown is left out.
Lengths of text count UTF-16 units, and no text holds NUL. While the database is away, any operation answers 503 with \`Retry-After\`.`

/** The document of a project: OpenAPI 3.1, with what its developer says in \`own.json\` over it. */
export function openapiDocument(project: Project): Data {
  const api = apiOf(project)
  const { facts } = api
  const routes = knownRoutes(api)
  const described: Data = {
    openapi: '3.1.1',
    info: { title: project.name, version: '1.0.0', description },
    servers: [{ url: '/' }],
    ...(facts.config.hasGuard || project.auth !== null ? { security: [{ bearer: [] }] } : {}),
    tags: tagsOf(routes, project),
    paths: pathsOf(api, routes),
    components: componentsOf(api),
  }
  return sorted(merged(described, facts.own))
}

/** What the server serves of svc's own, in the order of `svc routes`. GraphQL describes itself. */
function knownRoutes({ project, facts }: Api): readonly KnownRoute[] {
  const served = facts.served ?? usualApi(project.blueprint)
  const registered = served.flatMap((each) =>
    each.is === 'unread' ? [] : routesOf(each, apiPath, project.blueprint),
  )
  const known = registered.filter((route): route is KnownRoute => 'does' in route)
  const document = facts.config.document === 'off' ? [] : [documentRoute]
  return [...known, ...healthRoutes, ...document].filter(({ does }) => does.is !== 'graphql')
}

function tagsOf(routes: readonly KnownRoute[], { entities }: Project): readonly Data[] {
  const hasAuth = routes.some(({ does }) => does.is === 'auth')
  const named = entities.map(({ key, description: text, plural }) => ({
    name: key,
    description: text ?? `Records of ${plural}.`,
  }))
  return [
    ...(hasAuth
      ? [{ name: 'auth', description: 'Signing in, and what users do with their own.' }]
      : []),
    { name: 'health', description: 'Whether the server runs, and what it serves.' },
    ...named,
  ]
}

function pathsOf(api: Api, routes: readonly KnownRoute[]): Data {
  const paths = new Map<string, Record<string, Json>>()
  const ids = new Set<string>()
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const shared = named.length === 0 ? {} : { parameters: named.map(inPath) }
    const item: Record<string, Json> = paths.get(path) ?? shared
    const operation = operationOf(api, route)
    const operationId = free(operation.operationId, ids)
    item[route.method.toLowerCase()] = operationData({ ...operation, operationId })
    paths.set(path, item)
  }
  return Object.fromEntries(paths)
}

const inPath = (name: string) => ({ $ref: `#/components/parameters/${name}` })

/** Two keys may differ only in how they are written. */
function free(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}${number}`
  taken.add(id)
  return id
}

function operationOf(api: Api, { does, method, path }: KnownRoute): Operation {
  switch (does.is) {
    case 'resource':
      return resourceOperation(api, does.entity, does.operation)
    case 'related':
      return relatedOperation(api, does.entity, does.key, does.operation)
    case 'pivot':
      return pivotOperation(api, does.entity, does.relation, does.operation)
    case 'auth':
      return authOperation(api, usersOf(api), { ...does, method })
    case 'document':
      return documentOperation(api)
    default:
      return healthOperation(path)
  }
}

function usersOf({ project }: Api) {
  if (project.auth === null) throw new Error('a route signs in, and there is no auth repository')
  return project.auth
}

function documentOperation({ facts }: Api): Operation {
  const isOpen = facts.config.document === 'public'
  const answers = { 200: json('This document.', { type: 'object' }) }
  return {
    operationId: 'openapi',
    summary: 'Show this document',
    tag: 'health',
    ...(isOpen ? { security: open } : {}),
    responses: responses(answers, isOpen ? [] : [401]),
    description:
      'With `If-None-Match` and the `ETag` of an earlier answer, 304 while it is the same.',
  }
}

function healthOperation(path: string): Operation {
  const isReady = path === '/ready'
  const status = { status: { const: isReady ? 'ready' : 'ok' } }
  const ok = json(isReady ? 'Requests may come.' : 'It runs.', objectOf(status, ['status']))
  const late = objectOf({ status: { const: 'not ready' }, message: { type: 'string' } }, [
    'status',
    'message',
  ])
  return {
    operationId: isReady ? 'ready' : 'health',
    summary: isReady ? 'Whether to send requests here' : 'Whether the process runs',
    tag: 'health',
    security: open,
    responses: responses(
      {
        200: ok,
        ...(isReady ? { 503: json('The database is away, or lacks migrations.', late) } : {}),
      },
      [],
    ),
  }
}
