import { serve } from '@hono/node-server'
import { ZenStackClient } from '@zenstackhq/orm'
import { PolicyPlugin } from '@zenstackhq/plugin-policy'
import { RestApiHandler, RPCApiHandler } from '@zenstackhq/server/api'
import { createHonoHandler } from '@zenstackhq/server/hono'
import Database from 'better-sqlite3'
import { Hono } from 'hono'
import pg from 'pg'
import { isValid, readToken } from '../shared/token.js'

const url = process.env.DATABASE_URL
const isSqlite = url.startsWith('file:')
const { schema } = await import(isSqlite ? './sqlite/schema.js' : './postgresql/schema.js')

async function openDialect() {
  if (!isSqlite) {
    const { PostgresDialect } = await import('@zenstackhq/orm/dialects/postgres')
    return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 10 }) })
  }
  const { SqliteDialect } = await import('@zenstackhq/orm/dialects/sqlite')
  const database = new Database(url.slice('file:'.length))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return new SqliteDialect({ database })
}

const open = new ZenStackClient(schema, { dialect: await openDialect() })
const guarded = open.$use(new PolicyPlugin())

const app = new Hono()

app.use(async (c, next) => {
  const { id, secret } = readToken(c.req.header('Authorization'))
  const row = await open.personalAccessToken.findUnique({ where: { id: id || 0 } })
  if (!isValid(secret, row)) return c.json({ message: 'Unauthenticated.' }, 401)
  c.set('user', row.user_id)
  return next()
})

const getClient = (c) => guarded.$setAuth({ id: c.get('user') })
const rest = new RestApiHandler({ schema, endpoint: 'http://127.0.0.1/rest', pageSize: 100 })
app.use('/rest/*', createHonoHandler({ apiHandler: rest, getClient }))
// The REST handler does not bound what it includes.
app.use('/rpc/*', createHonoHandler({ apiHandler: new RPCApiHandler({ schema }), getClient }))

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
