import type { Project } from '../project.js'
import {
  apiPath,
  documentRoute,
  healthRoutes,
  routesOf,
  usualApi,
  type KnownRoute,
} from '../server-routes.js'
import { apiOf, parameter, type Api } from './api.js'
import { authOperation } from './auth-operations.js'
import { componentsOf } from './components.js'
import type { Data } from './facts.js'
import { nothingKept, type Kept } from './last-document.js'
import { objectOf } from './object.js'
import { idsIn, idsOf, type Ids } from './operation-ids.js'
import { bearer, open, printOperation, type Operation } from './operation.js'
import { aboutParameters } from './parameters.js'
import { pivotOperation } from './pivot-operations.js'
import { printDocument, type Item, type Parts } from './print.js'
import { relatedOperation } from './related-operations.js'
import { resourceOperation } from './resource-operations.js'
import { json, responses } from './statuses.js'

const description = `Every list answers one page. A parameter that an operation does not know changes nothing, or is 400 where the server is strict about queries; a field of a body that is unknown is left out.
${aboutParameters}
Lengths of text count UTF-16 units, and no text holds NUL. A form of signing in takes at most 16,384 bytes, any other what \`limits.body_bytes\` of the server says. While the database is away, any operation answers 503 with \`Retry-After\`.`

/** The document of a project: OpenAPI 3.1, with what its developer says in `own.json` over it. */
export const openapiDocument = (project: Project): string => writeDocument(apiOf(project)).text

export interface Document {
  readonly text: string
  /** Two operations would have one id, and the later one has a number: it knows of others. */
  readonly isNumbered: boolean
}

export function writeDocument(api: Api, kept: Kept = nothingKept): Document {
  const { facts, project } = api
  const routes = knownRoutes(api)
  const usual = facts.config.hasGuard ? [bearer] : open
  const head = {
    openapi: '3.1.1',
    info: { title: project.name, version: '1.0.0', description },
    servers: [{ url: '/' }],
    security: [...usual],
    tags: tagsOf(routes, project),
  }
  const ids = idsOf()
  const paths = pathsOf(api, routes, usual, { ids, kept })
  const component = componentsOf(api, kept)
  const always = project.auth === null ? [] : ['securitySchemes/bearer']
  const text = printDocument({ head, paths, component, always }, facts.additions)
  return { text, isNumbered: ids.isNumbered() }
}

/** What the server serves of svc's own, in the order of `svc routes`. GraphQL describes itself. */
export function knownRoutes({ project, facts }: Api): readonly KnownRoute[] {
  const served = facts.served ?? usualApi(project.blueprint)
  const registered = served.flatMap((each) =>
    each.is === 'unread' ? [] : routesOf(each, apiPath, project.blueprint),
  )
  const known = registered.filter((route): route is KnownRoute => 'does' in route)
  const document = facts.config.document === 'off' ? [] : [documentRoute]
  return [...known, ...healthRoutes, ...document].filter(({ does }) => does.is !== 'graphql')
}

/** Only what has something to say: the others are known by the operations that name them. */
function tagsOf(routes: readonly KnownRoute[], { entities }: Project): readonly Data[] {
  const hasAuth = routes.some(({ does }) => does.is === 'auth')
  const named = entities.flatMap(({ key, description: text }) =>
    text === undefined ? [] : [{ name: key, description: text }],
  )
  return [
    ...(hasAuth
      ? [{ name: 'auth', description: 'Signing in, and what users do with their own.' }]
      : []),
    { name: 'health', description: 'Whether the server runs, and what it serves.' },
    ...named,
  ]
}

function pathsOf(
  api: Api,
  routes: readonly KnownRoute[],
  usual: readonly Data[],
  { ids, kept }: { readonly ids: Ids; readonly kept: Kept },
): Parts['paths'] {
  const made = (route: KnownRoute): readonly [string, string] => {
    const operation = limited(api, route, operationOf(api, route))
    const operationId = ids.free(operation.operationId)
    return [route.method.toLowerCase(), printOperation({ ...operation, operationId }, usual)]
  }
  return [...byPath(routes)].map(([path, all]) => {
    const shown = path.replaceAll(/:(\w+)/g, '{$1}')
    return [
      shown,
      () => {
        const before = all.every((route) => isKept(route, kept)) ? kept.path(shown) : undefined
        if (before === undefined) return [...sharedOf(path), ...all.map(made)]
        idsIn(before).forEach(ids.free)
        return before
      },
    ] as const
  })
}

function byPath(routes: readonly KnownRoute[]): ReadonlyMap<string, readonly KnownRoute[]> {
  const found = new Map<string, KnownRoute[]>()
  for (const route of routes) {
    const all = found.get(route.path) ?? []
    all.push(route)
    found.set(route.path, all)
  }
  return found
}

const isKept = ({ does }: KnownRoute, kept: Kept) => 'entity' in does && kept.has(does.entity)

/** The parameters of a path. */
function sharedOf(path: string): Item {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => parameter(name))
  return named.length === 0 ? [] : [['parameters', JSON.stringify(named)]]
}

/** Where requests are limited, all may be one too many, but for those of load balancers. */
function limited(api: Api, { does }: KnownRoute, operation: Operation): Operation {
  if (api.project.blueprint.requestLimit !== true || does.is === 'health') return operation
  const { success, failures, invalid } = operation.responses
  return { ...operation, responses: responses(success, [...failures, 429], invalid) }
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
  const headers = { ETag: { $ref: '#/components/headers/ETag' } }
  return {
    operationId: 'openapi',
    summary: 'Show this document',
    tag: 'health',
    ...(isOpen ? { security: open } : {}),
    parameters: [parameter('If-None-Match')],
    responses: responses(
      {
        200: json('This document.', { type: 'object' }, { headers }),
        304: { description: 'It is as it was.', headers },
      },
      isOpen ? [] : [401],
    ),
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
