import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, MiddlewareHandler } from 'hono'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../../database/types.js'
import { withDirectStep } from '../../http/direct.js'
import { failedOf } from '../../http/layers.js'
import type { Log } from '../../http/log.js'
import { routeOf } from '../../http/route-of.js'
import { onFailedHook } from '../../operations/afterwards.js'
import type { Operations } from './config.js'
import { mayRead, type Readers } from './readers.js'

/** A database, as far as it is measured: SQLite has turns at writing, PostgreSQL a pool. */
type Measured = Pick<Database, 'observe'> & {
  readonly turns?: { readonly waiting: number }
  readonly pool?: {
    readonly totalCount: number
    readonly idleCount: number
    readonly waitingCount: number
  }
}

interface MetricsOptions extends Readers {
  readonly database: Measured
  readonly log: Log
  readonly operations: Operations
}

const requestBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const statementBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/**
 * What operators watch, as Prometheus reads it: requests by the pattern of their route (never their
 * path), statements, connections, the event loop, memory. Logs slow statements.
 */
export function createMetrics(options: MetricsOptions) {
  const { database, log, token, environment } = options
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureConnections(database, registry)
  const current = new AsyncLocalStorage<string>()
  observeStatements(options, registry, current)
  const request = measuresRequests(registry, current)
  countFailedHooks(registry)
  if (environment === 'production' && token === undefined) log.warn(unread)
  return { registry, request, page: servesPage(registry, { token, environment }) }
}

const unread =
  'METRICS_TOKEN is not set, so /metrics answers everybody with 403. Make one with ' +
  '`openssl rand -hex 32`, and let Prometheus send it as a bearer token'

function measuresRequests(
  registry: Registry,
  current: AsyncLocalStorage<string>,
): MiddlewareHandler {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by the pattern of their route, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers: [registry],
  })
  const throttled = new Counter({
    name: 'http_requests_throttled_total',
    help: 'Requests that were answered with 429.',
    labelNames: ['route'],
    registers: [registry],
  })
  const measure = (method: string, route: string, status: number, start: number) => {
    const seconds = (performance.now() - start) / 1000
    durations.observe({ method, route, status: String(status) }, seconds)
    if (status === 429) throttled.inc({ route })
  }
  const handler: MiddlewareHandler = async (c, next) => {
    const start = failedOf(c)?.startedAt ?? performance.now()
    await current.run(c.get('requestId'), next)
    measure(c.req.method, routeOf(c), c.res.status, start)
  }
  return withDirectStep(
    handler,
    ({ req, route, startedAt }) =>
      (status) => {
        // Otherwise it is measured on the usual way.
        if (status !== null) measure(req.method, route, status, startedAt)
      },
    ({ requestId }, rest) => current.run(requestId, rest),
  )
}

function countFailedHooks(registry: Registry): void {
  const failed = new Counter({
    name: 'hooks_failed_total',
    help: 'Hooks that failed after their write was committed.',
    labelNames: ['repository', 'hook'],
    registers: [registry],
  })
  onFailedHook(({ repository, hook }) => failed.inc({ repository, hook }))
}

/** Counts and times statements; logs those that are slow, with the id of their request. */
function observeStatements(
  { database, log, operations }: MetricsOptions,
  registry: Registry,
  current: AsyncLocalStorage<string>,
): void {
  const durations = new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'Statements that read or write, and how long they took, waiting included.',
    labelNames: ['access'],
    buckets: statementBuckets,
    registers: [registry],
  })
  const slow = operations.slow_statement_ms ?? Infinity
  database.observe(({ sql, access }) => {
    const start = performance.now()
    return () => {
      const ms = performance.now() - start
      durations.observe({ access }, ms / 1000)
      if (ms <= slow) return
      const requestId = current.getStore()
      log.warn({ requestId, ms: Math.round(ms * 100) / 100, sql }, 'slow statement')
    }
  })
}

function measureConnections({ turns, pool }: Measured, registry: Registry): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  if (turns !== undefined) {
    gauge('database_writes_waiting', 'Writes that wait for their turn.', () => turns.waiting)
  }
  if (pool === undefined) return
  gauge('database_pool_connections', 'Connections of the pool.', () => pool.totalCount)
  gauge('database_pool_idle', 'Connections that nobody uses.', () => pool.idleCount)
  gauge('database_pool_waiting', 'Requests for a connection that wait.', () => pool.waitingCount)
}

function servesPage(registry: Registry, readers: Readers) {
  return async (c: Context): Promise<Response> => {
    mayRead(c, readers)
    const headers = { 'Content-Type': registry.contentType }
    return c.body(await registry.metrics(), 200, headers)
  }
}
