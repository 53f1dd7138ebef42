/** GraphiQL in development: all of it from svckit, or from packages of the project. `graphiql.browser.ts` opens it in a browser. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, checkout } from '../../core/cli/project.js'
import { openProject } from '../../support/project.js'
import { servePages, type Pages } from './serve-pages.js'

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let pages: Pages
let origin = ''

beforeAll(async () => {
  build()
  pages = await servePages()
  origin = pages.origin
})
afterAll(() => pages.close())

test('a browser gets a page whose files all come from here', async () => {
  const response = await fetch(`${origin}/graphql`, { headers: page })
  const html = await response.text()
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(html).not.toMatch(/https?:\/\//)
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths).toHaveLength(6)
  for (const path of paths) {
    const file = await fetch(`${origin}${path}`)
    expect([path, file.status]).toEqual([path, 200])
    // With `nosniff` a browser runs a script, and uses a style, of this type only.
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/css'
    expect(file.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    const text = await file.text()
    const isOurs = path.includes('/page.')
    expect(text.length).toBeGreaterThan(isOurs ? 20 : 5_000)
    if (path.endsWith('.js')) expect(() => new Script(text)).not.toThrow()
  }
})

test('the page is not framed and not kept, and its script starts GraphiQL after the files', async () => {
  const response = await fetch(`${origin}/graphql`, { headers: page })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; /),
  })
  const scripts = [
    ...(await response.text()).matchAll(/<script(?: src="([^"]*)")?>(.*?)<\/script>/gs),
  ]
  expect(scripts.map(([, path, inline]) => [path, inline])).toEqual([
    ['/graphql/graphiql/react.js', ''],
    ['/graphql/graphiql/react-dom.js', ''],
    ['/graphql/graphiql/graphiql.js', ''],
    ['/graphql/graphiql/page.js', ''],
  ])
})

test('a query of a browser is answered as one, and nothing else is served', async () => {
  const asked = await fetch(`${origin}/graphql?query={__typename}`, { headers: page })
  expect(await asked.json()).toEqual({ data: { __typename: 'Query' } })
  expect((await fetch(`${origin}/graphql/graphiql/package.json`)).status).toBe(404)
})

/** The first file as a process of the project has it, whose packages are ours, without svckit. */
const ask = `
  import { Hono } from 'hono'
  import { graphiql } from '#runtime/features/graphql/graphiql.js'
  const app = new Hono()
  graphiql(app)
  process.stdout.write(await (await app.request('/graphiql/graphiql.js')).text())
`

test('the files are those of svckit, and of its packages where a project has these instead', async () => {
  const text = (path: string) => readFileSync(join(checkout, path), 'utf8')
  const served = await fetch(`${origin}/graphql/graphiql/graphiql.js`)
  expect((await served.text()) === text('dist/graphiql/graphiql.js')).toBe(true)
  const words = ['--import', 'tsx', '--input-type=module', '--eval', ask]
  const options = { cwd: pages.blog.folder, encoding: 'utf8', maxBuffer: 50_000_000 } as const
  const instead = execFileSync(process.execPath, words, options)
  expect(instead === text('node_modules/graphiql/graphiql.min.js')).toBe(true)
})

test('outside development there is no page', async () => {
  const tested = await openProject('blog', 'sqlite')
  expect((await tested.request('GET', '/graphql', { headers: page })).status).toBe(400)
  expect((await tested.get('/graphql/graphiql/react.js')).status).toBe(404)
  await tested.close()
})
