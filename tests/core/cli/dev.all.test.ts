import { existsSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { runs } from '../../support/runs.js'
import { fill } from '../write/folder.js'
import { dev, failing, freePort, isFree } from './dev.js'
import { linkDependencies, savedProject, spawnSvc, svc } from './project.js'

const status = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => 0,
  )

/** A project with `svc dev` in it, and what a developer does to it. */
async function developing(...preloaded: readonly string[]) {
  const root = await savedProject()
  linkDependencies(root)
  const port = await freePort()
  const started = dev(root, port, ['dev'], preloaded)
  const change = (path: string, from: string | RegExp, to: string) =>
    fill(root, { [path]: readFileSync(join(root, path), 'utf8').replace(from, to) })
  const until = (what: () => unknown, about: string) =>
    expect.poll(what, { interval: 50, message: `${about}\n${started.said()}` })
  await until(() => status(port, '/health'), 'serves').toBe(200)
  return { root, port, change, until, ...started }
}

const routes = 'routes/api.ts'
const route = (path: string) => `svcResources(api)\napi.get('/${path}', (c) => c.text('here'))`

test.each(runs(1) > 1 ? ['another terminal'] : [])(
  'svc dev goes on when the migration it asked for was run in %s',
  async () => {
    const { root, port, change, until, said } = await developing()
    vi.stubEnv('DATABASE_URL', 'file:storage/dev.sqlite')
    vi.stubEnv('NODE_ENV', 'development')
    onTestFinished(() => void vi.unstubAllEnvs())
    const file = new Sqlite(join(root, 'storage/dev.sqlite'))
    file.exec(`insert into users (name, email, password, updated_at) values ('Ada', 'a@example.com', 'x', '2026-01-01T00:00:00.000+00:00');
      insert into posts (title, body, owner_id, updated_at) values ('First', 'a', 1, '2026-01-01T00:00:00.000+00:00')`)
    file.close()

    change(routes, 'svcResources(api)', route('one'))
    await until(() => status(port, '/api/one'), 'serves the route').toBe(200)
    change('manifest/posts.ts', "['title', 'body']", "['title']")
    change('manifest/posts.ts', 'body: textarea(),', '')
    await until(said, 'asks').toMatch(
      /svc migrate --accept-data-loss[^]*The database is not up to date/,
    )
    change(routes, route('one'), route('two'))
    await until(() => said().split('The database is not up to date').length, 'asks again').toBe(3)
    expect(await status(port, '/api/two')).toBe(404)
    expect((await spawnSvc(root, 'migrate', '--accept-data-loss')).code).toBe(0)
    await until(() => status(port, '/api/two'), 'goes on').toBe(200)

    change('manifest/posts.ts', 'fields: {', 'fields: {\n    zip: text().max(9),')
    await until(said, 'names the command').toContain(
      'or svc migrate --fill posts.zip=<value>, for existing rows',
    )
    await until(said, 'waits').toMatch(/posts\.zip=<value>[^]*It starts once you have run/)
    change(routes, route('two'), route('three'))
    const { code, errors } = await spawnSvc(root, 'migrate', '--fill', 'posts.zip=none')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    await until(() => status(port, '/api/three'), 'goes on').toBe(200)
  },
)

test('svc dev reports a bug of its own, serves and watches on, and leaves no server behind', async () => {
  const { root, port, change, until, said, child, ended } = await developing(failing)
  fill(root, { bug: '' })
  change(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    note: text().nullable(),',
  )
  await until(said, 'reports').toMatch(/This is a bug in svc [^]*a bug of the test/)
  expect(await status(port, '/health')).toBe(200)
  rmSync(join(root, 'bug'))
  change('manifest/posts.ts', 'note: text()', 'remark: text()')
  await until(said, 'goes on').toContain('draft migration applied')
  await until(() => status(port, '/health'), 'serves').toBe(200)
  child.kill('SIGQUIT')
  expect(await ended).toBe(0)
  expect(await isFree(port)).toBe(true)

  const crashing = dev(root, port, ['dev'], [failing])
  await until(() => status(port, '/health'), 'serves').toBe(200)
  fill(root, { crash: '' })
  expect(await crashing.ended).not.toBe(0)
  await until(() => isFree(port), 'is gone').toBe(true)
  rmSync(join(root, 'crash'))

  // A server that does not end when it is asked to.
  change(
    routes,
    'svcResources(api)',
    "svcResources(api)\nprocess.on('SIGTERM', () => { for (;;); })",
  )
  const patient = dev(root, port)
  await until(() => status(port, '/health'), 'serves').toBe(200)
  patient.child.kill('SIGINT')
  const isAsked = () =>
    fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(200) }).then(
      () => false,
      () => true,
    )
  await until(isAsked, 'asks the server').toBe(true)
  // A second one, and no echo of the first.
  const isAskedAgain = () => {
    patient.child.kill('SIGINT')
    return patient.child.exitCode
  }
  await until(isAskedAgain, 'ends').toBe(130)
  await until(() => isFree(port), 'is gone').toBe(true)
})

test.each(runs(1) > 1 ? ['svc dev'] : [])(
  '%s makes the client of Prisma once the server starts, or before where code of the developer’s uses it',
  async () => {
    const { root, change, until, said } = await developing()
    // Nothing can be made there, which is said when it is tried.
    rmSync(join(root, 'prisma/client'), { recursive: true, force: true })
    fill(root, { 'prisma/client': '' })
    const column = (from: string, to: string) => change('manifest/posts.ts', from, to)
    column('body: textarea(),', 'body: textarea(),\n    note: text().nullable(),')
    await until(said, 'tries it last').toMatch(
      /draft migration applied[^]*Prisma's client was not generated/,
    )
    fill(root, { 'app/found.ts': "import { prisma } from './prisma.js'\nvoid prisma\n" })
    const told = said().length
    column('note: text()', 'remark: text()')
    await until(() => said().slice(told), 'tries it first').toMatch(
      /Prisma's client was not generated[^]*draft migration applied/,
    )
    rmSync(join(root, 'prisma/client'))
    rmSync(join(root, 'app/found.ts'))
    column('remark: text()', 'hint: text()')
    const model = join(root, 'prisma/client/models/Post.ts')
    await until(() => existsSync(model) && readFileSync(model, 'utf8'), 'makes it').toContain(
      'hint',
    )
  },
)

test('svc dev refuses no request while the server starts again, and says so where it does not start', async () => {
  const { port, change, until, said } = await developing()
  const answers = new Set<number>()
  const over = { is: false }
  const asking = (async () => {
    while (!over.is) answers.add(await statusOnce(port))
  })()
  change(routes, 'svcResources(api)', route('one'))
  await until(() => status(port, '/api/one'), 'serves the route').toBe(200)
  change(routes, route('one'), route('two'))
  await until(() => status(port, '/api/two'), 'serves the next').toBe(200)
  over.is = true
  await asking
  expect([...answers]).toEqual([200])

  change(routes, route('two'), `${route('two')}\nconst größe = = 1`)
  const mistake = /^routes\/api\.ts:\d+:15 {2}Unexpected "="\n {2}const größe = = 1\n {16}\^\n/m
  await until(said, 'says what it cannot read').toMatch(mistake)
  await until(said, 'goes on').toContain('svc did not start the server.')
  expect(said()).not.toMatch(/esbuild|Transform failed| at /)
  expect(await status(port, '/api/two')).toBe(200)

  change(routes, 'const größe = = 1', "throw new Error('mine')")
  await until(said, 'goes on').toContain(
    'The server did not start. The old one keeps running until the next change.',
  )
  expect(said()).toMatch(/Error: mine\n +at .*routes\/api\.ts:\d+:7/)
  expect(await status(port, '/api/two')).toBe(200)

  change(routes, "throw new Error('mine')", "api.get('/end', () => process.exit(1))")
  await until(() => status(port, '/api/end'), 'ends').toBe(0)
  await until(said, 'stops').toContain('The server stopped. It starts again after the next change.')
  const answer = await fetch(`http://127.0.0.1:${port}/api/two`)
  expect([answer.status, await answer.text()]).toEqual([
    503,
    'The server stopped: the terminal of `svc dev` says why. It starts again after the next change.\n',
  ])
  change(routes, "\napi.get('/end', () => process.exit(1))", '')
  await until(() => status(port, '/health'), 'serves again').toBe(200)
  expect(said()).toContain(`listening on http://127.0.0.1:${port}`)
})

test.each(runs(1) > 1 ? ['svc dev'] : [])(
  '%s lets requests wait while what they read is renamed, and goes on where it cannot be',
  async () => {
    const { root, port, change, until, said } = await developing()
    const list = '/api/svc/posts'
    change('app/Policies/PostPolicy.ts', 'show: () => false', 'show: () => true')
    change('manifest/posts.ts', "  title: 'title',", "  title: 'title',\n  public: true,")
    await until(() => statusOnce(port, list), 'is public').toBe(200)
    const file = new Sqlite(join(root, 'storage/dev.sqlite'))
    file.exec(`insert into users (name, email, password, updated_at) values ('Ada', 'a@example.com', 'x', '2026-01-01T00:00:00.000+00:00');
      insert into posts (title, body, owner_id, updated_at) values ('First', 'a', 1, '2026-01-01T00:00:00.000+00:00')`)
    file.close()

    const answers = new Map<number, number>()
    const over = { is: false }
    const asking = [1, 2, 3].map(async () => {
      while (!over.is) {
        const status = await statusOnce(port, list)
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    })
    const text = () => fetch(`http://127.0.0.1:${port}${list}`).then((answer) => answer.text())
    change('manifest/posts.ts', "['title', 'body']", "['title']")
    change('manifest/posts.ts', 'body: textarea(),', "words: textarea().renamedFrom('body'),")
    await until(text, 'serves the new name').toContain('"words":"a"')
    change('manifest/posts.ts', 'fields: {', 'fields: {\n    zip: text().max(9),')
    await until(said, 'cannot be applied').toContain('The database is not up to date')
    expect(await text()).toContain('"words":"a"')
    change('manifest/posts.ts', 'zip: text().max(9)', "zip: text().max(9).default('1010')")
    await until(text, 'serves the column').toContain('"zip":"1010"')
    over.is = true
    await Promise.all(asking)
    expect([...answers.keys()]).toEqual([200])
  },
)

test('svc dev goes on where a conflict is settled in another terminal, whatever has to be settled by hand', async () => {
  const { root, port, change, until, said } = await developing()
  const models = 'app/Models.ts'
  change(models, '  body: string\n', '  body: string // mine\n')
  await until(() => restarts(said()), 'serves the edit').toBe(2)
  change('manifest/posts.ts', 'body: textarea()', 'body: textarea().nullable()')
  await until(said, 'names the conflict').toContain('Not applied while watching')
  const { code, out } = await svc(root, 'generate', '--conflicts=markers', '--no-compile')
  expect(code, out).toBe(3)
  await until(said, 'says what is to be settled').toContain('Take the markers out')
  change(models, /<{7} yours\n.*\n={7}\n(.*)\n>{7} svc/, '$1')
  const drafts = () => said().split('draft migration applied').length - 1
  await until(drafts, 'applies the draft').toBe(1)
  await until(() => restarts(said()), 'serves with it').toBeGreaterThan(2)
  expect(said()).not.toContain('has an earlier draft')
  expect(await status(port, '/health')).toBe(200)
})

/** How often a server began to listen. */
const restarts = (said: string) => said.split('listening on').length - 1

test('svc dev says what no longer compiles, once the server answers with it', async () => {
  const { root, port, change, until, said } = await developing()
  const policy = 'app/Policies/PostPolicy.ts'
  change(policy, 'show: () => false', 'show: () => ({ title: 1 })')
  await until(said, 'reports a save').toMatch(
    /1 line of yours no longer compiles:\n {2}app\/Policies\/PostPolicy\.ts:\d+:\d+ {2}Type .*number/,
  )
  change(policy, 'title: 1', "body: 'a'")
  change('manifest/posts.ts', "['title', 'body']", "['title']")
  change('manifest/posts.ts', 'body: textarea(),', 'words: textarea(),')
  await until(said, 'reports the manifest').toMatch(
    /PostPolicy\.ts:\d+:\d+ {2}Type '. body: string/,
  )
  expect(await status(port, '/health')).toBe(200)

  // The next save is named beside what is still broken, whether the database follows or not.
  const file = new Sqlite(join(root, 'storage/dev.sqlite'))
  file.exec(`insert into users (name, email, password, updated_at) values ('Ada', 'a@example.com', 'x', '2026-01-01T00:00:00.000+00:00');
      insert into posts (title, words, owner_id, updated_at) values ('First', 'a', 1, '2026-01-01T00:00:00.000+00:00')`)
  file.close()
  change(
    'routes/api.ts',
    'svcResources(api)',
    'svcResources(api)\nexport const wrong: number = "text"',
  )
  change('manifest/posts.ts', 'fields: {', 'fields: {\n    zip: text().max(9),')
  await until(said, 'cannot be applied').toContain('The database is not up to date')
  const lines =
    /not up to date[^]*2 lines of yours no longer compile:\n.*(PostPolicy|api)\.ts:[^]*(PostPolicy|api)\.ts:/
  await until(said, 'names all lines').toMatch(lines)
})

test('svc dev lets the server finish what it answers, however often is saved meanwhile, and on Ctrl-C', async () => {
  // No other server can listen beside this one.
  vi.stubEnv('HOST', '0.0.0.0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { root, port, change, until, said, end, child } = await developing()
  const slow = `api.get('/slow', async (c) => {
      writeFileSync('asked', '')
      while (!existsSync('answered')) await new Promise((resolve) => setTimeout(resolve, 20))
      return c.text('slow')
    })`
  change(routes, 'import', `import { existsSync, writeFileSync } from 'node:fs'\nimport`)
  change(routes, 'svcResources(api)', `${route('one')}\n${slow}`)
  const isAsked = () => existsSync(join(root, 'asked'))
  await until(() => status(port, '/api/one'), 'serves the route').toBe(200)

  const first = status(port, '/api/slow')
  await until(isAsked, 'is asked').toBe(true)
  change(routes, "'/one'", "'/two'")
  await until(() => statusOnce(port), 'stops').toBe(0)
  change(routes, "'/two'", "'/three'")
  fill(root, { answered: '' })
  expect(await first).toBe(200)
  await until(() => status(port, '/api/three'), 'serves what was saved last').toBe(200)
  expect(said()).not.toMatch(/in use|The server stopped/)

  rmSync(join(root, 'asked'))
  rmSync(join(root, 'answered'))
  const last = status(port, '/api/slow')
  await until(isAsked, 'is asked again').toBe(true)
  const over = end()
  // A package manager passes Ctrl-C on like this.
  child.kill('SIGTERM')
  await until(() => statusOnce(port), 'ends').toBe(0)
  fill(root, { answered: '' })
  expect(await last).toBe(200)
  expect(await over).toBe(0)
})

/** Of a connection of its own, 0 where it is refused. */
const statusOnce = (port: number, path = '/health') =>
  new Promise<number>((resolve) => {
    get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    }).once('error', () => resolve(0))
  })
