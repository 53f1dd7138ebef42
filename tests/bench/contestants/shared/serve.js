/**
 * The blog's routes in Hono, as one writes them by hand, over a store: the raw driver, Kysely or Prisma. With
 * BENCH_HEADERS=1 also the headers, request id and body limit of the emitted server, from Hono's own middleware.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { pageOf, postResource, userResource } from './resources.js'
import { answerQuery } from './schema.js'
import { isValid, readToken } from './token.js'

const input = z.object({
  title: z.string().max(160),
  description: z.string().nullish(),
  published_at: z.iso.datetime({ offset: true }).nullish(),
})

export function serveBlog(store) {
  const app = new Hono()
  if (process.env.BENCH_HEADERS === '1') useHeaders(app)

  app.use(async (c, next) => {
    const { id, secret } = readToken(c.req.header('Authorization'))
    const row = await store.token(id)
    if (!isValid(secret, row)) return c.json({ message: 'Unauthenticated.' }, 401)
    c.set('user', row.user_id)
    return next()
  })

  app.get('/api/svc/posts', async (c) => {
    const user = c.get('user')
    const page = Number(c.req.query('page') ?? 1)
    const [rows, total] = await Promise.all([
      store.page(user, 15, (page - 1) * 15),
      store.count(user),
    ])
    const data = rows.map((row) => postResource(row, user))
    return c.json(pageOf({ path: '/api/svc/posts', page, total, data }))
  })

  app.get('/api/svc/posts/:id', async (c) => {
    const user = c.get('user')
    const row = await store.post(Number(c.req.param('id')), user)
    if (row === undefined || row === null) return c.json({ message: 'Not found.' }, 404)
    return c.json({ data: postResource(row, user) })
  })

  app.post('/api/svc/posts', async (c) => {
    const user = c.get('user')
    const parsed = input.safeParse(await c.req.json())
    if (!parsed.success) return c.json({ errors: parsed.error.issues }, 422)
    const { title, description, published_at } = parsed.data
    const row = await store.insert({
      title,
      description: description ?? null,
      published_at: published_at == null ? null : new Date(published_at),
      owner_id: user,
    })
    c.header('Location', `/api/svc/posts/${row.id}`)
    return c.json({ data: postResource(row, user) }, 201)
  })

  app.get('/api/svc/users', async (c) => {
    const user = c.get('user')
    const page = Number(c.req.query('page') ?? 1)
    const [rows, total] = await Promise.all([
      store.usersWithPosts(user, 15, (page - 1) * 15),
      store.countUsers(),
    ])
    const query = '&include=posts.comments'
    const data = rows.map((row) => userResource(row, user))
    return c.json(pageOf({ path: '/api/svc/users', query, page, total, data }))
  })

  app.post('/graphql', async (c) =>
    c.json(await answerQuery(store, c.get('user'), await c.req.json())),
  )

  serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
}

function useHeaders(app) {
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
