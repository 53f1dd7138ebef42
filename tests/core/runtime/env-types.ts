/**
 * Checked by the compiler: an owner's Env with variables of its own fits everything the runtime
 * takes.
 */
import { Hono } from 'hono'
import { defineConfig } from '../../../runtime/config/server-config.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import { bearerToken } from '../../../runtime/features/sign-in/tokens.js'
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
import { createLog } from '../../../runtime/http/log.js'
import { defineMiddleware } from '../../../runtime/http/middleware.js'
import { readBody, readIndexQuery, readShowQuery } from '../../../runtime/http/request.js'
import { created, noContent, paginated, respond } from '../../../runtime/http/respond.js'
import { serverTiming } from '../../../runtime/http/server-timing.js'
import type { Page, Resource } from '../../../runtime/model/resource.js'
import { usersOf } from '../../support/user-source.js'

interface User {
  id: number
  name: string
}

type Env = ServerEnv<User, { tenant: string }>

declare const page: Page
declare const resource: Resource

export function check(): Hono<Env> {
  const config = defineConfig({})
  const database = openSqlite(':memory:')
  const log = createLog({ LOG_LEVEL: 'info', NODE_ENV: 'test' })
  const middleware = defineMiddleware<Env>({
    api: [],
    'auth:token': [
      bearerToken<User, Env>({
        log,
        users: usersOf<User>(database, { id: 'integer', name: 'text' }),
      }),
    ],
  })
  const controller = new Hono<Env>()
    .get('/', (c) => paginated(c, page) ?? readIndexQuery(c))
    .get('/:id', (c) => respond(c, resource) ?? readShowQuery(c))
    .post('/', async (c) => created(c, resource) ?? (await readBody(c)))
    .delete('/:id', (c) => noContent(c))
  const resources = new Hono<Env>()
  resources.use('*', ...middleware(config.middleware))
  resources.route('/posts', controller)
  resources.get('/whoami', ...middleware(['auth:token']), (c) => c.text(c.get('user')?.name ?? ''))
  const app = new Hono<Env>()
  app.use(requestContext({ config, log }))
  app.use(accessLog)
  app.use(secureHeaders('test'))
  app.use(cors(config.cors, app))
  app.use(readablePath)
  app.use(serverTiming(database))
  app.get('/health', health)
  app.get('/ready', ready(database, 'prisma/migrations'))
  app.route('/api', resources)
  app.get('/me', (c) => c.json({ name: c.var.user?.name, tenant: c.var.tenant }))
  app.notFound(onNotFound(app))
  app.onError(onError)
  return app
}
