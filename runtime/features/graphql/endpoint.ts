import { GraphQLError, type ExecutionResult } from 'graphql'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Environment } from '../../config/env.js'
import { isGuard, type SvcConfig } from '../../config/server-config.js'
import { HttpError, methodNotAllowed } from '../../errors.js'
import { inWords, toHttpError } from '../../http/answers.js'
import { setHeader, type ServerEnv } from '../../http/context.js'
import { bodyOf, checkBytes, jsonText } from '../../http/json-text.js'
import { whenSignedIn } from '../../http/middleware.js'
import { checkHeaders } from '../../http/only-understood.js'
import type { PartOfRequest } from '../../model/exchange.js'
import type { GraphqlConfig } from './config.js'
import { formatError, hasFailed } from './errors.js'
import { createEngine, type Engine, type Operation, type Together } from './execute.js'
import { graphiql } from './graphiql.js'
import { type MediaType, negotiate, wantsPage } from './negotiate.js'
import { readParameters } from './parameters.js'
import { executableSchema, type SchemaOptions } from './schema.js'
import { rootSelection } from './selections.js'

export interface EndpointOptions<E extends ServerEnv<unknown>> extends SchemaOptions {
  readonly config: SvcConfig
  readonly graphql: GraphqlConfig
  readonly environment: Environment
  /** From app/Http/middleware.ts. */
  readonly middleware: (names: readonly string[]) => MiddlewareHandler<E>[]
  /** Makes the mutations of one request one transaction; absent: each is its own. */
  readonly together?: Together | undefined
  /** Runs around a request with a mutation. */
  readonly around?: AroundMutation | undefined
  /** When the schema is made, which throws what is wrong with it: at once, unless given. */
  readonly engine?: ((make: () => Engine) => () => Engine) | undefined
}

/** As `aroundMutation` of http/ makes it. */
interface AroundMutation {
  /** Headers and parameters that it reads. */
  readonly understood: readonly PartOfRequest[]
  /** @param isOne The request has one mutation, and not several. */
  answer(
    c: Context,
    isOne: boolean,
    work: () => Promise<{ readonly response: Response; readonly isDone: boolean }>,
  ): Promise<Response>
}

/**
 * GraphQL over HTTP at the root of what is returned: POST, and GET for queries. Behind the
 * middleware of config/svc.ts; `auth:` ones run for requests that carry credentials, and fields
 * answer the others with UNAUTHENTICATED, one by one.
 */
export function createGraphql<E extends ServerEnv<unknown>>(options: EndpointOptions<E>): Hono<E> {
  const { config, graphql, environment, middleware } = options
  const app = new Hono<E>()
  const { introspection, limits } = graphql
  const isDevelopment = environment !== 'production'
  const mayIntrospect = introspection === 'development' ? isDevelopment : introspection
  const repositories = Object.values(options.repositories)
  const takesTurns = repositories.some(({ definition }) => definition.dialect === 'sqlite')
  const { together } = options
  const bounds = { config, limits, mayIntrospect, takesTurns, together }
  const engine = (options.engine ?? atOnce)(() => createEngine(executableSchema(options), bounds))
  if (graphql.graphiql && environment === 'development') graphiql(app)
  for (const name of config.middleware) {
    const handlers = middleware([name])
    app.use('/', ...(isGuard(name) ? handlers.map(whenSignedIn) : handlers))
  }
  app.on(['GET', 'POST'], '/', (c) => answer(c, engine(), options.around))
  app.all('/', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
  app.onError((error, c) => fail(c, error))
  return app
}

function atOnce(make: () => Engine): () => Engine {
  const engine = make()
  return () => engine
}

async function answer<E extends ServerEnv<unknown>>(
  c: Context<E>,
  engine: Engine,
  around: AroundMutation | undefined,
): Promise<Response> {
  const accept = c.req.header('accept')
  const type = negotiate(accept)
  if (type === null) {
    const known = 'application/graphql-response+json, application/json'
    if (wantsPage(accept)) return c.text(`POST a query here; answers are ${known}.`, 406)
    return c.body(null, 406, { Accept: known })
  }
  const operation = engine.prepare(await readParameters(c))
  if (!('operation' in operation)) return respond(c, type, { errors: operation })
  checkRequest(c, operation, around?.understood)
  const work = async () => {
    const result = await engine.run(operation, { user: c.get('user'), c })
    return { response: respond(c, type, result), isDone: !hasFailed(result) }
  }
  const isMutation = operation.operation.operation === 'mutation'
  if (around === undefined || !isMutation) return (await work()).response
  return around.answer(c, rootSelection(operation)?.fields.length === 1, work)
}

/** The GraphQL way to say it in a mutation. */
const instead = {
  'If-Match': 'a mutation of a record that has versions takes the argument `version`',
}

/** Refuses headers and parameters that a mutation cannot honour. */
function checkRequest(
  c: Context,
  { operation }: Operation,
  understood: readonly PartOfRequest[] = [],
): void {
  if (operation.operation === 'subscription') {
    throw new HttpError(400, 'Subscriptions are not served here.')
  }
  if (operation.operation === 'query') return
  if (c.req.method === 'POST') return checkHeaders(c, understood, instead)
  throw new HttpError(405, 'Mutations are sent with POST.', undefined, { Allow: 'POST' })
}

/**
 * Errors of fields come with 200. A request without data is 400, but 200 for clients that accept
 * `application/json`, because they may not look at the body otherwise.
 */
function respond(c: Context, type: MediaType, result: ExecutionResult): Response {
  const isDenied = !('data' in result)
  return send(c, type, result, isDenied && type !== 'application/json' ? 400 : 200)
}

/**
 * What went wrong before there was an operation: a token that is not valid, a body that cannot be
 * read. Its status is that of HTTP, whatever the media type.
 */
function fail<E extends ServerEnv<unknown>>(c: Context<E>, error: Error): Response {
  const known = toHttpError(error)
  for (const [name, value] of Object.entries(known?.headers ?? {})) setHeader(c, name, value)
  const errors = [new GraphQLError(error.message, { originalError: error })]
  const type = negotiate(c.req.header('accept')) ?? 'application/json'
  return send(c, type, { errors }, known?.status ?? 500)
}

function send(
  c: Context,
  type: MediaType,
  result: ExecutionResult,
  status: 200 | 500 | HttpError['status'],
): Response {
  const log = (err: unknown) =>
    c.get('server').log.error({ requestId: c.get('requestId'), err }, 'a resolver failed')
  const errors = result.errors?.map((error) =>
    formatError(error, log, (known) => inWords(c, known)),
  )
  const text = jsonText(errors === undefined ? result : { ...result, errors })
  if (text !== undefined) checkBytes(c, text)
  return c.body(bodyOf(c, text ?? 'null'), status, { 'Content-Type': `${type}; charset=utf-8` })
}
