import { readdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { Hono, type Env } from 'hono'
import type { Environment } from '../../config/env.js'
import { forbidden } from '../../errors.js'
import { findFile } from '../../find-file.js'
import type { HasEntity } from '../../model/entity.js'
import { serveDocument } from '../openapi/document.js'
import { policiesReport, type SampleUsers } from './policies.js'

interface ExplorerOptions {
  /** The file that asks, as `import.meta.url`: the page's files are found from there. */
  readonly caller: string
  /** `docs.page` of config/svc.ts. */
  readonly page: 'development' | 'always' | 'off'
  readonly environment: Environment
  readonly repositories: readonly HasEntity[]
  /** Who signs in; null: nobody does. */
  readonly users: SampleUsers | null
}

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

/**
 * The page about the API, `/docs`, with its files below; where it is off, no route at all. In
 * development `/` leads to it, and `/docs/policies` says what policies answer.
 */
export function createExplorer<E extends Env>(options: ExplorerOptions): Hono<E> {
  const { caller, page, environment } = options
  const app = new Hono<E>()
  const isDevelopment = environment === 'development'
  if (page === 'off' || (page === 'development' && !isDevelopment)) return app
  for (const name of readdirSync(findFile(caller, folder))) {
    const type = types[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const path = name === 'index.html' ? '/docs' : `/docs/${name}`
    const headers = { 'Content-Security-Policy': policy }
    app.get(path, serveDocument(caller, `${folder}/${name}`, type, headers))
  }
  if (!isDevelopment) return app
  app.get('/', (c) => c.redirect('/docs'))
  app.get('/docs/policies', async (c) => {
    if (!isOwnPage((name) => c.req.header(name))) throw forbidden()
    return c.json(await policiesReport(options, c.req.query('users')))
  })
  return app
}

/**
 * Policies know users by name: no page of another origin may read them, whatever CORS allows, nor
 * one whose name was pointed at this machine.
 */
function isOwnPage(header: (name: string) => string | undefined): boolean {
  const host = header('host') ?? 'localhost'
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const origin = header('origin')
  return (
    (name === 'localhost' || isIP(name) !== 0) &&
    (origin === undefined || origin.replace(/^https?:\/\//, '') === host) &&
    ['same-origin', 'none'].includes(header('sec-fetch-site') ?? 'none')
  )
}
