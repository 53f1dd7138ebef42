import type { Project } from '../../plan/project.js'
import { ownRoutes } from '../../plan/routes/own-routes.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import {
  apiFile,
  apiPath,
  healthRoutes,
  routesOf,
  usualRoutes,
} from '../../plan/routes/server-routes.js'
import { apiOf, type Api } from './api.js'
import type { Data } from './facts.js'
import { nothingKept, type Kept } from './last-document.js'
import { idsIn, idsOf, type Ids } from './operations/operation-ids.js'
import { bearer, open, printOperation, type Operation } from './operations/operation.js'
import { relatedOperation } from './operations/related-operations.js'
import { resourceOperation } from './operations/resource-operations.js'
import { json, responses } from './operations/statuses.js'
import { printDocument, type Item, type Parts } from './print.js'
import { componentsOf } from './schemas/components.js'
import { objectOf } from './schemas/object.js'
import { aboutParameters } from './schemas/parameters.js'
import { parameter } from './schemas/references.js'

const aboutAll = `Every list answers one page. A parameter that an operation does not know changes nothing, or is 400 where the server is strict about queries; a field of a body that is unknown is left out.
${aboutParameters}
Lengths of text count UTF-16 units, and no text holds NUL. A form of signing in takes at most 16,384 bytes, any other what \`limits.body_bytes\` of the server says. While the database is away, any operation answers 503 with \`Retry-After\`.`

/** The document of a project: OpenAPI 3.1, with what its developer says in `own.json` over it. */
export const openapiDocument = async (project: Project): Promise<string> =>
  writeDocument(await apiOf(project)).text

export interface Document {
  readonly text: string
  /** Two operations would have one id, and the later one has a number: it knows of others. */
  readonly isNumbered: boolean
}

export function writeDocument(api: Api, kept: Kept = nothingKept): Document {
  const { facts, project } = api
  const routes = knownRoutes(api)
  const usual = facts.config.hasGuard ? [bearer] : open
  const said = [...api.parts.values()].flatMap(({ says = [] }) => says)
  const description = [aboutAll, ...said].join('\n\n')
  const head = {
    openapi: '3.1.1',
    info: { title: project.name, version: '1.0.0', description },
    servers: [{ url: '/' }],
    security: [...usual],
    tags: tagsOf(routes, api),
  }
  const ids = idsOf()
  const paths = pathsOf(api, routes, usual, { ids, kept })
  const component = componentsOf(api, kept)
  const always = [...api.parts.values()].flatMap((part) => part.always ?? [])
  const text = printDocument({ head, paths, component, always }, facts.additions)
  return { text, isNumbered: ids.isNumbered() }
}

/** Lists svc's own routes for the document, in the order of `svc routes`. */
export function knownRoutes({ project, facts, parts }: Api): readonly KnownRoute[] {
  const registered =
    facts.served?.flatMap((each) =>
      each.is === 'unread' ? [] : (routesOf(each, apiPath, project) ?? []),
    ) ?? usualRoutes(apiFile, project)
  const known = registered.filter((route): route is KnownRoute => 'does' in route)
  return [...known, ...healthRoutes, ...ownRoutes(project)].filter(
    ({ does, isAlias }) =>
      isAlias !== true &&
      (does.is !== 'feature' || parts.get(does.feature)?.operation !== undefined),
  )
}

/** The tag of the developer's routes that name no other. */
const ownTag: Data = { name: 'own', description: 'What this server does besides.' }

/** Returns the descriptions of features and repositories, and health. */
function tagsOf(routes: readonly KnownRoute[], { parts, project, facts }: Api): readonly Data[] {
  const has = (feature: string) =>
    routes.some(({ does }) => does.is === 'feature' && does.feature === feature)
  const ofFeatures = [...parts].flatMap(([name, { tag }]) =>
    tag !== undefined && has(name) ? [{ ...tag }] : [],
  )
  const named = project.entities.map(({ key, plural, description: text }) => ({
    name: key,
    description: text ?? `What is done with ${plural}.`,
  }))
  const health = { name: 'health', description: 'Whether the server runs, and what it serves.' }
  const known = [...ofFeatures, health, ...named]
  const isOwn = facts.described !== null && !known.some(({ name }) => name === ownTag['name'])
  return isOwn ? [...known, ownTag] : known
}

function pathsOf(
  api: Api,
  routes: readonly KnownRoute[],
  usual: readonly Data[],
  { ids, kept }: { readonly ids: Ids; readonly kept: Kept },
): Parts['paths'] {
  const arounds = [...api.parts.values()].flatMap(({ around }) => around ?? [])
  const made = (route: KnownRoute): readonly [string, string] => {
    const operation = arounds.reduce(
      (made, around) => around(made, route, api),
      operationOf(api, route),
    )
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

const isKept = ({ does }: KnownRoute, kept: Kept) =>
  'entity' in does && does.entity !== undefined && kept.has(does.entity)

/** The parameters of a path. */
function sharedOf(path: string): Item {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => parameter(name))
  return named.length === 0 ? [] : [['parameters', JSON.stringify(named)]]
}

function operationOf(api: Api, route: KnownRoute): Operation {
  const { does, path } = route
  switch (does.is) {
    case 'resource':
      return resourceOperation(api, does.entity, does.operation)
    case 'related':
      return relatedOperation(api, does.entity, does.key, does.operation)
    case 'health':
      return healthOperation(path)
    case 'feature':
      return operationOfFeature(api, route, does.feature)
  }
}

// Others were left out.
function operationOfFeature(api: Api, route: KnownRoute, feature: string): Operation {
  const made = api.parts.get(feature)?.operation?.(api, route)
  if (made === undefined) throw new Error(`'${feature}' says nothing of ${route.path}`)
  return made
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
