/**
 * What a good engineer writes by hand for the blog's three hottest routes: Hono and its own middleware, prepared SQL on
 * the raw driver, plain objects, `c.json`. It gives the same answers as the emitted server, headers included; the bench
 * compares them before it measures. With BENCH_BARE=1 it leaves the middleware out: the floor, and other answers.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'

interface User {
  id: number
}

interface TokenRow {
  token: string
  expires_at: string | null
  user_id: number
}

interface PostRow {
  id: number
  title: string
  description: string | null
  published_at: string | null
  owner_id: number
  created_at: string
  updated_at: string
}

const database = new Database(process.env['DATABASE_FILE'] ?? '')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const tokenById = database.prepare<[number], TokenRow>(
  `select t.token, t.expires_at, u.id as user_id
   from personal_access_tokens t join users u on u.id = t.user_id where t.id = ?`,
)
const columns = 'id, title, description, published_at, owner_id, created_at, updated_at'
const postById = database.prepare<[number, number], PostRow>(
  `select ${columns} from posts where id = ? and (published_at is not null or owner_id = ?)`,
)
const postPage = database.prepare<[number, number, number], PostRow>(
  `select ${columns} from posts where published_at is not null or owner_id = ?
   order by id desc limit ? offset ?`,
)
const postCount = database
  .prepare<[number], number>(
    'select count(*) from posts where published_at is not null or owner_id = ?',
  )
  .pluck()
const insertPost = database.prepare<
  [string, string | null, string | null, number, string, string],
  PostRow
>(
  `insert into posts (title, description, published_at, owner_id, created_at, updated_at)
   values (?, ?, ?, ?, ?, ?) returning ${columns}`,
)

const iso = (stored: string) => `${stored.slice(0, 23)}Z`
const stored = (date: Date) => date.toISOString().replace('Z', '+00:00')

const input = z.object({
  title: z.string().max(160),
  description: z.string().nullish(),
  published_at: z.iso.datetime({ offset: true }).nullish(),
})

function resource(row: PostRow, user: User) {
  const own = row.owner_id === user.id
  return {
    id: String(row.id),
    type: 'posts',
    attributes: {
      title: row.title,
      description: row.description,
      published_at: row.published_at === null ? null : iso(row.published_at),
      owner_id: String(row.owner_id),
      created_at: iso(row.created_at),
      updated_at: iso(row.updated_at),
    },
    meta: {
      authorizedToShow: true,
      authorizedToStore: true,
      authorizedToUpdate: own,
      authorizedToDelete: own,
    },
  }
}

const app = new Hono<{ Variables: { user: User } }>()

if (process.env['BENCH_BARE'] === undefined) {
  app.use(requestId({ headerName: 'X-Request-Id' }))
  app.use(cors({ origin: '*', exposeHeaders: ['Location', 'Retry-After', 'X-Request-Id'] }))
  app.use(
    secureHeaders({
      referrerPolicy: 'no-referrer',
      xFrameOptions: 'DENY',
      strictTransportSecurity: 'max-age=15552000',
      crossOriginOpenerPolicy: false,
      crossOriginResourcePolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      removePoweredBy: false,
    }),
  )
  app.use(bodyLimit({ maxSize: 1_048_576 }))
  app.use((c, next) => {
    c.header('Cache-Control', 'no-store')
    return next()
  })
}

app.use(async (c, next) => {
  const [id, secret] = (c.req.header('Authorization') ?? '').slice('Bearer '.length).split('|')
  const row = tokenById.get(Number(id))
  if (row === undefined || secret === undefined) return c.json({ message: 'Unauthenticated.' }, 401)
  const given = createHash('sha256').update(secret).digest('hex')
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(row.token))) {
    return c.json({ message: 'Unauthenticated.' }, 401)
  }
  if (row.expires_at !== null && Date.parse(row.expires_at) < Date.now()) {
    return c.json({ message: 'Unauthenticated.' }, 401)
  }
  c.set('user', { id: row.user_id })
  return next()
})

app.get('/api/svc/posts', (c) => {
  const user = c.get('user')
  const page = Number(c.req.query('page') ?? 1)
  const perPage = 15
  const rows = postPage.all(user.id, perPage, (page - 1) * perPage)
  const total = postCount.get(user.id) ?? 0
  const last = Math.max(1, Math.ceil(total / perPage))
  const path = '/api/svc/posts'
  const link = (number: number) => `${path}?page=${number}`
  return c.json({
    meta: {
      current_page: page,
      from: rows.length > 0 ? (page - 1) * perPage + 1 : null,
      last_page: last,
      path,
      per_page: perPage,
      to: rows.length > 0 ? (page - 1) * perPage + rows.length : null,
      total,
    },
    links: {
      first: link(1),
      last: link(last),
      next: page < last ? link(page + 1) : null,
      path,
      prev: page > 1 ? link(page - 1) : null,
    },
    data: rows.map((row) => resource(row, user)),
  })
})

app.get('/api/svc/posts/:id', (c) => {
  const user = c.get('user')
  const row = postById.get(Number(c.req.param('id')), user.id)
  if (row === undefined) return c.json({ message: 'Not found.' }, 404)
  return c.json({ data: resource(row, user) })
})

app.post('/api/svc/posts', async (c) => {
  const user = c.get('user')
  const parsed = input.safeParse(await c.req.json())
  if (!parsed.success) return c.json({ errors: parsed.error.issues }, 422)
  const { title, description, published_at } = parsed.data
  const now = stored(new Date())
  const published = published_at == null ? null : stored(new Date(published_at))
  // After `get` SQLite never moves its log to the database.
  const row = insertPost.all(title, description ?? null, published, user.id, now, now)[0]
  if (row === undefined) throw new Error('an insert that returns nothing')
  c.header('Location', `/api/svc/posts/${row.id}`)
  return c.json({ data: resource(row, user) }, 201)
})

serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' })
