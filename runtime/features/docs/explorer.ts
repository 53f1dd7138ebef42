import { readdirSync } from 'node:fs'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Environment } from '../../config/env.js'
import { HttpError, notFound } from '../../errors.js'
import { findFile } from '../../find-file.js'
import type { ServerEnv } from '../../http/context.js'
import { whenSignedIn } from '../../http/middleware.js'
import { prefixOf } from '../../http/prefix.js'
import { isOfThisMachine } from '../../http/this-machine.js'
import type { HasEntity } from '../../model/entity.js'
import { serveDocument } from '../openapi/document.js'
import { isOwnPage } from './own-page.js'
import { policiesReport, type SampleUsers } from './policies.js'
import { rightsIn } from './rights.js'

interface ExplorerOptions {
  /** `docs.page` of config/svc.ts. */
  readonly page: 'development' | 'always' | 'off'
  readonly environment: Environment
  readonly repositories: readonly HasEntity[]
  /** The users to sign in as; null: there is no auth repository. */
  readonly users: SampleUsers | null
  /** In front of what is for those with a token; null: nobody has one. */
  readonly signedIn: MiddlewareHandler | null
  /** `docs.document` of config/svc.ts: whoever may not read it is told nothing of the repositories. */
  readonly document: 'public' | 'token' | 'off'
  /** True if browsers see GraphiQL at `/graphql` in development. */
  readonly graphiql?: boolean
}

/** Its files, which no compiler takes along: found from here, compiled or not, a package or not. */
const folder = 'runtime/features/docs/page'

/** Nothing inline, nothing from elsewhere, and no page of others around it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Modules that not every project has; the page loads none of them before somebody needs it. */
const parts: Readonly<Record<string, (options: ExplorerOptions) => boolean>> = {
  'policies.js': ({ environment }) => environment === 'development',
  'why.js': ({ environment }) => environment === 'development',
  'sign-in.js': ({ users }) => users !== null,
  'console.js': hasConsole,
}

function hasConsole({ environment, graphiql = false }: ExplorerOptions): boolean {
  return graphiql && environment === 'development'
}

/**
 * The page about the API, `/docs`, with its files below; where it is off, no route at all.
 * `/docs/parts` says which parts it has, `/docs/rights` of a repository what its user may do there. In
 * development `/` leads to it, `/docs/policies` says what policies answer, and `/docs/why` of one record why.
 */
export function createExplorer<E extends ServerEnv<unknown>>(options: ExplorerOptions): Hono<E> {
  const { page, environment, signedIn, document, repositories } = options
  const app = new Hono<E>()
  const isDevelopment = environment === 'development'
  if (page === 'off' || (page === 'development' && !isDevelopment)) return app
  for (const name of readdirSync(findFile(import.meta.url, folder))) {
    const type = types[name.split('.').at(-1) ?? '']
    if (type === undefined || parts[name]?.(options) === false) continue
    const path = name === 'index.html' ? '/docs' : `/docs/${name}`
    const headers = { 'Content-Security-Policy': policy }
    app.get(path, serveDocument(import.meta.url, `${folder}/${name}`, type, headers))
  }
  app.get('/docs/parts', (c) =>
    c.json({
      policies: isDevelopment && isOfThisMachine(c) && isOwnPage(c),
      console: hasConsole(options) ? '/graphql' : null,
    }),
  )
  const entities = new Map(repositories.map(({ definition }) => [definition.key, definition]))
  // A guest who may not read the document learns nothing of it here.
  if (document === 'public' || (document === 'token' && signedIn !== null)) {
    const guard = document === 'public' && signedIn !== null ? whenSignedIn(signedIn) : signedIn
    if (guard !== null) app.use('/docs/rights/*', guard)
    app.get('/docs/rights/:key', async (c) => {
      const entity = entities.get(c.req.param('key'))
      if (entity === undefined) throw notFound()
      c.header('Cache-Control', 'no-store')
      return c.json(await rightsIn(entity, c.get('user') ?? null))
    })
  }
  if (!isDevelopment) return app
  app.get('/', (c) => c.redirect(`${prefixOf(c)}/docs`))
  app.get('/docs/policies', async (c) => {
    if (!isOfThisMachine(c) || !isOwnPage(c)) throw new HttpError(403, elsewhere)
    return c.json(await policiesReport(options, c.req.query('users')))
  })
  app.get('/docs/why/:key/:id', async (c) => {
    if (!isOfThisMachine(c) || !isOwnPage(c)) throw new HttpError(403, elsewhere)
    const { rightsOf } = await import('../explain/rights.js')
    const { key, id } = c.req.param()
    const found = await rightsOf(options, key, id, c.req.query('user') || 'guest')
    if ('problem' in found) throw notFound(found.problem)
    return c.json(found)
  })
  return app
}

const elsewhere =
  'Policies are shown with names and e-mails of users: to browsers on the machine of the server ' +
  'alone. Open /docs there, or through a tunnel: ssh -L 3000:127.0.0.1:3000 <that machine>.'
