import { spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { groupedRouter } from '../../../runtime/features/many-repositories/router.js'
import { writeManifest } from '../../bench/items.js'
import { freePort } from '../../core/cli/dev.js'
import { generateInto } from '../../support/generate.js'
import { program } from '../../support/program.js'
import { linkModules, openFolder, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'

describe('a project of a hundred repositories', () => {
  let project: Project

  beforeAll(async () => {
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
    const folder = await mkdtemp(join(tmpdir(), 'svc-many-'))
    await writeManifest(
      folder,
      100,
      "openapi: false, authorizationTests: false, reads: [], newPolicies: 'public-read',",
    )
    await generateInto(folder)
    await linkModules(folder)
    project = await openFolder(folder, 'sqlite', 'development')
    const item = { amount: 1, price: '2.00', is_active: 1 }
    await project.insert('item8s', { ...item, name: 'Three' })
    for (const name of ['One', 'Two']) {
      await project.insert('item7s', { ...item, name, neighbour_id: 1 })
    }
  })
  afterAll(() => project.close())

  it('answers requests of each, and those that nothing answers', async () => {
    const { status, headers, body } = await project.get('/api/svc/item7s/1/neighbour')
    expect([status, body.data[0].attributes.name]).toEqual([200, 'Three'])
    expect(headers.get('x-request-id')).not.toBeNull()
    expect((await project.get('/api/svc/item100s')).body.data).toEqual([])
    expect((await project.get('/health')).status).toBe(200)
    expect((await project.get('/api/svc/item101s')).status).toBe(404)
    expect((await project.get('/api/svc/item7s/1/neighbour/1/more')).status).toBe(404)
    const denied = await project.request('DELETE', '/api/svc/item7s')
    expect([denied.status, denied.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('answers GraphQL, whose schema is made when it is asked', async () => {
    const { body } = await project.post('/graphql', { query: '{ item7ListTotal }' })
    expect(body).toEqual({ data: { item7ListTotal: 2 } })
  })

  it('logs what is wrong with the schema once it is started, and serves the rest', async () => {
    const path = join(project.folder, 'app/GraphQL/schema.graphql')
    await writeFile(path, `${await readFile(path, 'utf8')}\ntype Item1 { twice: Int }\n`)
    const port = await freePort()
    const env = {
      ...process.env,
      PORT: String(port),
      NODE_ENV: 'development',
      LOG_LEVEL: 'error',
      MIGRATE_ON_START: 'false',
    }
    const server = spawn(process.execPath, [await program(project.folder, 'app/server.ts')], {
      cwd: project.folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void server.kill('SIGKILL'))
    let said = ''
    for await (const chunk of server.stdout) {
      said += String(chunk)
      if (said.includes('\n')) break
    }
    const { msg, err } = JSON.parse(said)
    expect(msg).toBe('GraphQL is not served until this is mended')
    expect(err.message).toContain('There can be only one type named "Item1".')
    const { status } = await fetch(`http://127.0.0.1:${port}/api/svc/item7s/1`)
    expect(status).toBe(200)
  })
})

/** `/` for none, a name, a parameter, a choice, or everything below. */
const segment = fc.constantFrom('api', 'svc', 'posts', 'users', ':id', ':key', ':n{[0-9]+}', '*')
const routePath = fc.array(segment, { maxLength: 5 }).map((parts) => {
  const end = parts.indexOf('*')
  return `/${(end === -1 ? parts : parts.slice(0, end + 1)).join('/')}`
})
const asked = fc
  .array(fc.constantFrom('api', 'svc', 'posts', 'users', '7', 'x y', ''), { maxLength: 6 })
  .map((parts) => `/${parts.join('/')}`)
const route = fc.record({
  method: fc.constantFrom('GET', 'ALL'),
  path: fc.oneof(
    routePath,
    routePath.map((path) => `/api/svc${path === '/' ? '' : path}`),
  ),
})

it('routes are found as Hono finds them, in the same order and with the same parameters', async () => {
  const routes = fc.array(route, { minLength: 1, maxLength: 12 })
  const paths = fc.array(asked, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(routes, paths, async (given, wanted) => {
      const [usual, grouped] = [new Hono(), new Hono({ router: groupedRouter() })].map((app) => {
        for (const [at, { method, path }] of given.entries()) {
          app.on([method], path, async (c, next) => {
            await next()
            const parameters = Object.entries(c.req.param()).toSorted()
            c.res = new Response(`${at} ${JSON.stringify(parameters)} ${await c.res.text()}`)
          })
        }
        return app
      })
      for (const path of wanted) {
        const answers = [usual, grouped].map(async (app) => {
          const answer = await app?.request(encodeURI(path), { method: 'GET' })
          return answer?.text()
        })
        const [expected, found] = await Promise.all(answers)
        expect(found, path).toBe(expected)
      }
    }),
    { numRuns: runs(300) },
  )
})

it('handlers run as they were added, whether they are of one group or of several, and none is added too late', async () => {
  const app = new Hono({ router: groupedRouter() })
  const said: string[] = []
  const add = (method: string, path: string) =>
    app.on([method], path, async (_, next) => {
      said.push(path)
      await next()
    })
  const paths = ['/api/svc/posts/:id', '*', '/api/svc/posts/7', '/api/*', '/api/:svc/posts/:id']
  for (const path of paths) add('ALL', path)
  expect((await app.request('/api/svc/posts/7')).status).toBe(404)
  expect(said).toEqual(paths)
  expect(() => add('GET', '/api/svc/users')).toThrow('matcher is already built')
})
