/**
 * A project as somebody has it who installs svckit from its tarball, far from the checkout, by npm or pnpm and from a registry:
 * from `svc new` to production, with the runtime taken in, edited, carried over to a newer svckit, and given back.
 */
import { readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { runs } from '../../support/runs.js'
import { query } from '../regenerate/query.js'
import { textsOf } from '../write/folder.js'
import { freePort } from './dev.js'
import { project, tarballs, type Manager } from './installed.js'
import { checkout } from './project.js'

const errors = 'runtime/errors.ts'
const [ofToday, ofNext] = ["'Not found.'", "'There is no such thing.'"]

let home = ''
beforeAll(() => void (home = tarballs(ofToday, ofNext)))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const routes = `
api.get('/teapot', () => {
  throw new HTTPException(418, { message: 'A teapot.' })
})
api.get('/counted', async (c) => c.json({ users: await prisma.user.count() }))
api.get('/threads', (c) => {
  const { workers }: { workers?: unknown[] } = process.report.getReport()
  return c.json({ threads: workers?.length ?? 0 })
})
`
const imports = `import { HTTPException } from 'hono/http-exception'
import { prisma } from '#app/prisma.js'
`

const decided = Object.fromEntries(
  ['teapot', 'counted', 'threads'].map((name) => [`GET /api/${name}`, 'anybody may']),
)

const rows = `insert into tags (name, created_at, updated_at)
  with recursive c(n) as (select 1 union all select n + 1 from c where n < 25000)
  select 'tag' || n, '2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:00.000+00:00' from c`

/** Of these the others tell most. */
const more = [
  ['npm', 'postgresql'],
  ['pnpm', 'sqlite'],
] as const

const page = { accept: 'text/html' }

test.each([['npm', 'sqlite'], ['pnpm', 'postgresql'], ...(runs(1) > 1 ? more : [])] as const)(
  'by %s on %s it generates, migrates, serves, tests, builds, runs, and has its runtime as it likes',
  { timeout: 3_600_000 },
  async (manager, database) => {
    const { blog, url } = await makeBlog(manager, database)
    await blog.svc('migrate')
    const token = /Bearer (\S+)/.exec(await blog.script('seed'))?.[1] ?? ''
    if (database === 'sqlite') await query(database, url, rows)

    const port = String(await freePort())
    const inDevelopment = () => blog.serve(['svc', 'dev'], { PORT: port, NODE_ENV: 'development' })
    const asDeveloped = async (missing: string, closed = 'Unauthenticated.') => {
      const { origin, end } = await inDevelopment()
      await serves(origin, token, { missing, closed })
      await servesPages(origin)
      if (database === 'sqlite') await readsOnThreads(origin, token)
      await end()
    }
    await asDeveloped('Not found.')
    expect(blog.read('storage/logs/mail.log')).toContain('Reset your password')
    await blog.script('typecheck')
    await blog.script('test')

    await blog.svc('migrate', 'save', 'init')
    await blog.script('build')
    const { origin, end } = await blog.serve(['script', 'start'], {
      PORT: port,
      HOST: '127.0.0.1',
      APP_KEY: '0123456789'.repeat(7),
      FRONTEND_APP_URL: 'https://example.com',
      MAIL_MAILER: 'log',
      MAIL_FROM: 'blog@example.com',
    })
    await serves(origin, token, { missing: 'Not found.', closed: 'Unauthenticated.' })
    expect((await fetch(`${origin}/docs`, { headers: page })).status).toBe(404)
    await end()

    expect(await blog.svc('publish', 'runtime')).toContain(`${manager} install`)
    await blog.install()
    blog.edit(errors, "'Unauthenticated.'", "'Who are you?'")
    await blog.script('typecheck')
    await asDeveloped('Not found.', 'Who are you?')

    blog.edit('package.json', 'svckit-10.0.0.tgz', 'svckit-10.0.1.tgz')
    await blog.install()
    expect(await blog.svc('generate')).toMatch(/merge +runtime\/errors\.ts/)
    await asDeveloped('There is no such thing.', 'Who are you?')
    await blog.script('build')

    expect(await blog.failing(1, 'publish', 'runtime', '--undo')).toContain(
      `  ${errors}  was edited`,
    )
    blog.edit(errors, "'Who are you?'", "'Unauthenticated.'")
    await blog.svc('publish', 'runtime', '--undo')
    expect(readdirSync(blog.root)).not.toContain('runtime')
    await blog.install()
    await blog.svc('generate', '--check')
    await asDeveloped('There is no such thing.')
    await blog.script('typecheck')
    await blog.script('test')
    expect(await blog.svc('doctor')).not.toContain('Wrong:')
  },
)

/** The blog with routes of its owner, its packages installed, in a folder that knows of no checkout. */
async function makeBlog(manager: Manager, database: DatabaseName) {
  const folder = join(home, `${manager}-${database}`)
  const tool = project(join(folder, 'tool'), manager)
  tool.write({
    'package.json': JSON.stringify({
      private: true,
      dependencies: { svckit: 'file:../../svckit-10.0.0.tgz' },
    }),
  })
  await tool.install('esbuild')
  await tool.svc('new', '../blog', `--example=blog`, `--database=${database}`)
  const root = join(folder, 'blog')
  const url = database === 'sqlite' ? `file:${join(root, 'blog.sqlite')}` : await freshDatabase()
  const TEST_DATABASE_URL = `${inject('postgres')}postgres`
  const blog = project(root, manager, { DATABASE_URL: url, TEST_DATABASE_URL })
  blog.edit('routes/api.ts', 'svcResources(api)', `svcResources(api)\n${routes}`)
  blog.edit('routes/api.ts', 'import { Hono }', `${imports}import { Hono }`)
  blog.edit('tests/roles.ts', 'own: Own = {}', `own: Own = ${JSON.stringify(decided)}`)
  // It is written anew, with these routes in it, and then has to stay as it is.
  rmSync(join(root, 'tests/authorization.md'))
  expect(blog.read('package.json')).toContain('"svckit": "file:../../svckit-10.0.0.tgz"')
  expect(Object.entries(textsOf(root)).filter(([, text]) => text.includes(checkout))).toEqual([])
  await blog.install('esbuild', ...(database === 'sqlite' ? ['better-sqlite3'] : []))
  for (const name of ['svckit', 'svckit-runtime', 'hono']) {
    const installed = realpathSync(join(root, 'node_modules', name))
    expect(installed.startsWith(realpathSync(root))).toBe(true)
  }
  await blog.svc('generate', '--check')
  return { blog, url }
}

interface Said {
  readonly missing: string
  readonly closed: string
}

/** Resources, GraphQL, mails, Prisma's client, and what a route of the owner throws. */
async function serves(origin: string, token: string, { missing, closed }: Said): Promise<void> {
  const ask = async (path: string, body?: object, by = token) => {
    const answer = await fetch(`${origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(by === '' ? {} : { authorization: `Bearer ${by}` }),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    return [answer.status, isJson ? JSON.parse(text) : text]
  }
  expect(await ask('/api/svc/posts', undefined, '')).toEqual([401, { message: closed }])
  expect(await ask('/api/svc/posts/99999')).toEqual([404, { message: missing }])
  const [status, made] = await ask('/api/svc/posts', { title: 'A post' })
  expect([status, made.data.attributes.title]).toEqual([201, 'A post'])
  const { id } = made.data
  const [, listed] = await ask('/api/svc/posts?include=owner&search=post')
  expect(listed.data.map((each: { id: string }) => each.id)).toContain(id)
  const asked = { query: `{ post(id: ${id}) { title owner { name } } }` }
  const post = { title: 'A post', owner: { name: 'Ada Lovelace' } }
  expect(await ask('/graphql', asked)).toEqual([200, { data: { post } }])
  expect((await ask('/api/svc/forgotPassword', { email: 'ada@example.com' }, ''))[0]).toBe(200)
  expect(await ask('/api/counted')).toEqual([200, { users: expect.any(Number) }])
  expect((await ask('/api/teapot'))[0]).toBe(418)
}

/** Only development has these pages. */
async function servesPages(origin: string): Promise<void> {
  for (const path of ['/docs', '/graphql']) {
    const answer = await fetch(`${origin}${path}`, { headers: page })
    expect([path, answer.status]).toEqual([path, 200])
    const html = await answer.text()
    const files = [...html.matchAll(/(?:src|href)="(\/?[^":#]+\.(?:js|css))"/g)]
    expect(files.length, html).toBeGreaterThan(0)
    for (const [, name = ''] of files) {
      const file = await fetch(new URL(name, `${origin}${path}`))
      expect([name, file.status]).toEqual([name, 200])
      expect((await file.text()).length).toBeGreaterThan(20)
    }
  }
}

/** A search through a large table of SQLite. */
async function readsOnThreads(origin: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${origin}/api/svc/tags?search=ag24999`, { headers })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"total":1}')])
  const counted = await fetch(`${origin}/api/threads`)
  expect(await counted.text()).toMatch(/"threads":[1-9]/)
}
