import { BadRequest, NotAuthenticated } from '@feathersjs/errors'
import { feathers } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa'
import knex from 'knex'
import { isValid, readToken } from '../shared/token.js'

const url = process.env.DATABASE_URL
const isSqlite = url.startsWith('file:')
const db = isSqlite
  ? knex({
      client: 'better-sqlite3',
      connection: { filename: url.slice('file:'.length) },
      useNullAsDefault: true,
    })
  : knex({ client: 'pg', connection: url, pool: { min: 0, max: 10 } })
if (isSqlite) {
  await db.raw('pragma journal_mode = WAL')
  await db.raw('pragma synchronous = FULL')
}

/** SQLite has no type for a point in time: text, as its rows have it. */
const stored = (date) => (isSqlite ? date.toISOString().replace('Z', '+00:00') : date)

async function readUser(context, next) {
  const { id, secret } = readToken(context.params.headers?.authorization)
  const row = await db('personal_access_tokens as t')
    .join('users as u', 'u.id', 't.user_id')
    .select('t.token', 't.expires_at', 'u.id as user_id')
    .where('t.id', id)
    .first()
  if (!isValid(secret, row)) throw new NotAuthenticated()
  context.params.user = row.user_id
  await next()
}

function onlyVisible({ params }) {
  params.query = {
    ...params.query,
    $or: [{ published_at: { $ne: null } }, { owner_id: params.user }],
  }
}

function newestFirst({ params }) {
  params.query = { $sort: { id: -1 }, ...params.query }
}

function check({ data, params }) {
  const { title, description = null, published_at = null } = data
  if (typeof title !== 'string' || title.length > 160) throw new BadRequest('title')
  const now = stored(new Date())
  return {
    title,
    description,
    published_at: published_at && stored(new Date(published_at)),
    owner_id: params.user,
    created_at: now,
    updated_at: now,
  }
}

const app = koa(feathers())
app.use(errorHandler())
app.use(bodyParser())
app.configure(rest())
app.use('posts', new KnexService({ Model: db, name: 'posts', paginate: { default: 15, max: 100 } }))
app.service('posts').hooks({
  around: { all: [readUser] },
  before: {
    find: [onlyVisible, newestFirst],
    get: [onlyVisible],
    create: [(context) => void (context.data = check(context))],
  },
})
await app.listen(Number(process.env.PORT), '127.0.0.1')
