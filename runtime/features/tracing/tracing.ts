import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { Database } from '../../database/types.js'
import { skipped, withDirectStep } from '../../http/direct.js'
import { routeOf } from '../../http/route-of.js'

interface TracingOptions {
  readonly database: Pick<Database, 'observe' | 'dialect'>
  /** OTEL_EXPORTER_OTLP_ENDPOINT; without it nothing is traced. The SDK reads other OTEL_ ones. */
  readonly endpoint: string | undefined
  /** OTEL_SERVICE_NAME. */
  readonly service: string | undefined
}

export interface Tracing {
  /** A span for each request, by the pattern of its route. */
  readonly request: MiddlewareHandler
  /** Sends what is left. */
  close(): Promise<void>
}

/**
 * A span for each request and, below it, one for each statement: the pattern of the route and the
 * text of the statement with places for values, never a path and never a value. A `traceparent` of
 * the caller is continued, and own code finds the tracer with `trace.getTracer` of
 * `@opentelemetry/api`.
 */
export function createTracing({ database, endpoint, service }: TracingOptions): Tracing {
  if (endpoint === undefined) return { request: skipped(), close: async () => {} }
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service ?? 'server' }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  traceStatements(database)
  return { request: traceRequest, close: () => provider.shutdown() }
}

const tracer = trace.getTracer('svc')

const traceRequest: MiddlewareHandler = async (c, next) => {
  // A request that failed on the direct way goes on in the span that was begun there.
  const [caller, span] = spans.get(c.env?.incoming ?? c) ?? begin(c)
  try {
    await context.with(trace.setSpan(caller, span), next)
    end(span, c.req.method, routeOf(c), c.res.status)
  } finally {
    span.end()
  }
}

const spans = new WeakMap<object, readonly [Context, Span]>()

function begin(c: HonoContext): readonly [Context, Span] {
  const caller = propagation.extract(context.active(), c.req.raw.headers, headerReader)
  return [caller, start(c.req.method, c.get('requestId'), caller)]
}

function start(method: string, requestId: unknown, caller: Context): Span {
  const attributes = { 'http.request.method': method, 'svc.request_id': String(requestId) }
  return tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller)
}

function end(span: Span, method: string, route: string, status: number): void {
  span.updateName(`${method} ${route}`)
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

withDirectStep(
  traceRequest,
  ({ env: { incoming }, req, requestId, route }) => {
    const caller = propagation.extract(context.active(), incoming.headers)
    const span = start(req.method, requestId, caller)
    spans.set(incoming, [caller, span])
    return (status) => {
      if (status === null) return
      end(span, req.method, route, status)
      span.end()
    }
  },
  ({ env: { incoming } }, rest) => {
    const [caller, span] = spans.get(incoming) ?? []
    if (caller === undefined || span === undefined) return rest()
    return context.with(trace.setSpan(caller, span), rest)
  },
)

const headerReader = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

function traceStatements({ observe, dialect }: TracingOptions['database']): void {
  observe(({ sql }) => {
    if (trace.getActiveSpan() === undefined) return
    const attributes = { 'db.system.name': dialect, 'db.query.text': sql }
    const [verb = 'SQL'] = sql.split(/\s/, 1)
    const span = tracer.startSpan(verb, { kind: SpanKind.CLIENT, attributes })
    return () => span.end()
  })
}
