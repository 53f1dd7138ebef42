/** A server with the runtime's own parts and a few routes, as app/app.ts puts it together. */
import { Hono } from 'hono'
import { pino } from 'pino'
import type { Environment } from '../../../runtime/config/env.js'
import { defineConfig, type SvcConfigInput } from '../../../runtime/config/server-config.js'
import { openSqlite, type SqliteDatabase } from '../../../runtime/database/sqlite/open.js'
import { ConstraintError } from '../../../runtime/database/types.js'
import { invalid, notFound } from '../../../runtime/errors.js'
import { onError, onNotFound } from '../../../runtime/http/answers.js'
import type { ServerEnv } from '../../../runtime/http/context.js'
import { cors } from '../../../runtime/http/cors.js'
import { health, ready } from '../../../runtime/http/health.js'
import {
  accessLog,
  readablePath,
  requestContext,
  secureHeaders,
} from '../../../runtime/http/layers.js'
import type { Log } from '../../../runtime/http/log.js'
import { readBody } from '../../../runtime/http/request.js'
import { serverTiming } from '../../../runtime/http/server-timing.js'
import { statement } from './databases.js'

export interface TestApp {
  readonly app: Hono<ServerEnv<never>>
  readonly lines: Record<string, unknown>[]
  readonly database: SqliteDatabase
}

export interface TestAppOptions {
  readonly config?: SvcConfigInput
  readonly environment?: Environment
  /** The folder of saved migrations. */
  readonly migrations?: string
}

export function createTestApp({
  config: given,
  environment = 'test',
  migrations = 'none',
}: TestAppOptions = {}): TestApp {
  const lines: Record<string, unknown>[] = []
  const log: Log = pino(
    { level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const database = openSqlite(':memory:')
  const app = new Hono<ServerEnv<never>>()
  const config = defineConfig(given ?? {})
  app.use(requestContext({ config, log }))
  app.use(accessLog)
  app.use(secureHeaders(environment))
  app.use(cors(config.cors, app))
  app.use(readablePath)
  if (environment === 'development') app.use(serverTiming(database))
  app.get('/health', health)
  app.get('/ready', ready(database, migrations))
  app.route('/api', routes(database))
  app.notFound(onNotFound(app))
  app.onError(onError)
  return { app, lines, database }
}

function routes(database: SqliteDatabase): Hono<ServerEnv<never>> {
  return new Hono<ServerEnv<never>>()
    .get('/things', async (c) => {
      await database.query(statement('SELECT 1', 'read'), [])
      await Promise.all([1, 2].map((n) => database.query(statement(`SELECT ${n}`, 'read'), [])))
      return c.json({ ok: true })
    })
    .post('/things', async (c) => c.json({ got: await readBody(c) }, 201))
    .delete('/things', (c) => c.body(null, 204))
    .get('/things/:id', (c) => c.json({ id: c.req.param('id') }))
    .get('/fails/bug', () => {
      throw new Error('the password is hunter2')
    })
    .get('/fails/missing', () => {
      throw notFound()
    })
    .get('/fails/invalid', () => {
      throw invalid({ title: ['is required.'], body: ['is too long.'] })
    })
    .get('/fails/unique', () => {
      throw new ConstraintError('unique', ['email'])
    })
    .get('/fails/strange', () => {
      throw 'not an error'
    })
}
