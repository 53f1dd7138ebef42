import { GraphQLError, type ExecutionResult } from 'graphql'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { SvcConfig } from '../../config/server-config.js'
import type { Environment } from '../../config/env.js'
import { HttpError, methodNotAllowed } from '../../errors.js'
import { toHttpError } from '../../http/answers.js'
import { setHeader, type ServerEnv } from '../../http/context.js'
import { jsonText } from '../../http/json-text.js'
import type { GraphqlConfig } from './config.js'
import { formatError } from './errors.js'
import { createEngine, type Engine, type Prepared } from './execute.js'
import { graphiql } from './graphiql.js'
import { type MediaType, negotiate, wantsPage } from './negotiate.js'
import { readParameters } from './parameters.js'
import { executableSchema, type SchemaOptions } from './schema.js'

export interface EndpointOptions<E extends ServerEnv<unknown>> extends Omit<
  SchemaOptions,
  'requiresToken' | 'publicFields'
> {
  readonly config: SvcConfig
  readonly graphql: GraphqlConfig
  readonly environment: Environment
  /** From app/Http/middleware.ts. */
  readonly middleware: (names: readonly string[]) => MiddlewareHandler<E>[]
}

/**
 * GraphQL over HTTP at the root of what is returned: POST, and GET for queries. Behind the
 * middleware of config/svc.ts; `auth:` ones run for requests that carry credentials, and fields
 * refuse the others one by one.
 */
export function createGraphql<E extends ServerEnv<unknown>>(options: EndpointOptions<E>): Hono<E> {
  const { config, graphql, environment, middleware } = options
  const app = new Hono<E>()
  const isDevelopment = environment !== 'production'
  const needsToken = config.middleware.some(isAuth)
  const schema = executableSchema({
    ...options,
    requiresToken: needsToken,
    publicFields: graphql.public_fields,
  })
  const { introspection, limits } = graphql
  const mayIntrospect = introspection === 'development' ? isDevelopment : introspection
  const engine = createEngine(schema, {
    limits,
    mayIntrospect,
    maxPerPage: config.pagination.max_per_page,
    maxRelated: config.limits.related_records,
    maxValueDepth: config.limits.json_depth,
  })
  if (graphql.graphiql && environment === 'development') graphiql(app)
  for (const name of config.middleware) {
    const handlers = middleware([name])
    app.use('/', ...(isAuth(name) ? handlers.map(whenSignedIn) : handlers))
  }
  app.on(['GET', 'POST'], '/', (c) => answer(c, engine))
  app.all('/', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
  app.onError((error, c) => fail(c, error))
  return app
}

const isAuth = (name: string) => name.startsWith('auth:')

function whenSignedIn<E extends ServerEnv<unknown>>(
  handler: MiddlewareHandler<E>,
): MiddlewareHandler<E> {
  return (c, next) => (c.req.header('authorization') === undefined ? next() : handler(c, next))
}

async function answer<E extends ServerEnv<unknown>>(
  c: Context<E>,
  engine: Engine,
): Promise<Response> {
  const accept = c.req.header('accept')
  const type = negotiate(accept)
  if (type === null) {
    const known = 'application/graphql-response+json, application/json'
    if (wantsPage(accept)) return c.text(`POST a query here; answers are ${known}.`, 406)
    return c.body(null, 406, { Accept: known })
  }
  const prepared = engine.prepare(await readParameters(c))
  if (!('operation' in prepared)) return respond(c, type, { errors: prepared })
  if (prepared.operation.operation !== 'query') refuseMethod(c, prepared)
  return respond(c, type, await engine.run(prepared, { user: c.get('user'), c }))
}

/** What went wrong before there was an operation: a refused token, a body that cannot be read. */
function fail<E extends ServerEnv<unknown>>(c: Context<E>, error: Error): Response {
  const type = negotiate(c.req.header('accept')) ?? 'application/json'
  const known = toHttpError(error)
  if (known !== null) return respondRefused(c, type, known)
  return c.body(JSON.stringify({ errors: [formatted(c, error)] }), 500, contentType(type))
}

function refuseMethod(c: Context, { operation }: Prepared): void {
  if (operation.operation === 'subscription') {
    throw new HttpError(400, 'Subscriptions are not served here.')
  }
  if (c.req.method === 'POST') return
  throw new HttpError(405, 'Mutations are sent with POST.', undefined, { Allow: 'POST' })
}

/**
 * Errors of fields come with 200. A request without data is 400, which `application/json` clients
 * are told as 200, because they may not look at the body otherwise.
 */
function respond(c: Context, type: MediaType, result: ExecutionResult): Response {
  const isRefused = !('data' in result)
  const status = isRefused && type === 'application/graphql-response+json' ? 400 : 200
  const body =
    result.errors === undefined
      ? result
      : { ...result, errors: result.errors.map((error) => formatError(error, reportTo(c))) }
  return c.body(jsonText(body) ?? 'null', status, contentType(type))
}

const contentType = (type: MediaType) => ({ 'Content-Type': `${type}; charset=utf-8` })

/** Failures that are no answer are for the log. */
const reportTo = (c: Context) => (err: unknown) =>
  c.get('server').log.error({ requestId: c.get('requestId'), err }, 'a resolver failed')

const formatted = (c: Context, error: Error) =>
  formatError(new GraphQLError(error.message, { originalError: error }), reportTo(c))

/** The request could not be read: its status is that of HTTP, whatever the media type. */
function respondRefused(c: Context, type: MediaType, error: HttpError): Response {
  for (const [name, value] of Object.entries(error.headers)) setHeader(c, name, value)
  return c.body(JSON.stringify({ errors: [formatted(c, error)] }), error.status, contentType(type))
}
