import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { MiddlewareHandler } from 'hono'
import type { Database } from '../../database/types.js'
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
  if (endpoint === undefined) return { request: (_, next) => next(), close: async () => {} }
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
  const caller = propagation.extract(context.active(), c.req.raw.headers, headerReader)
  const { method } = c.req
  const attributes = { 'http.request.method': method, 'svc.request_id': c.get('requestId') }
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller)
  try {
    await context.with(trace.setSpan(caller, span), next)
    const { status } = c.res
    const route = routeOf(c)
    span.updateName(`${method} ${route}`)
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  } finally {
    span.end()
  }
}

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
