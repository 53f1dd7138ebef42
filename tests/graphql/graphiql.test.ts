/** GraphiQL in development: all of it from the project itself, and working as it comes. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProject, type Project } from '../support/project.js'

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let blog: Project
let server: Server
let origin = ''

beforeAll(async () => {
  blog = await openProject('blog', 'sqlite', {}, 'development')
  server = createServer(getRequestListener(async (request) => blog.fetch(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a TCP server.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await blog.close()
})

test('a browser gets a page whose files all come from here', async () => {
  const response = await fetch(`${origin}/graphql`, { headers: page })
  const html = await response.text()
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(html).not.toMatch(/https?:\/\//)
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths).toHaveLength(4)
  for (const path of paths) {
    const file = await fetch(`${origin}${path}`)
    expect([path, file.status]).toEqual([path, 200])
    expect((await file.text()).length).toBeGreaterThan(5_000)
  }
})

test('a query of a browser is answered as one, and nothing else is served', async () => {
  const asked = await fetch(`${origin}/graphql?query={__typename}`, { headers: page })
  expect(await asked.json()).toEqual({ data: { __typename: 'Query' } })
  expect((await fetch(`${origin}/graphql/graphiql/package.json`)).status).toBe(404)
})

test('outside development there is no page', async () => {
  const tested = await openProject('blog', 'sqlite')
  expect((await tested.request('GET', '/graphql', { headers: page })).status).toBe(400)
  expect((await tested.get('/graphql/graphiql/react.js')).status).toBe(404)
  await tested.close()
})

const browser = '/usr/bin/chromium'

test.runIf(existsSync(browser))('GraphiQL reads the schema and runs a query', async () => {
  const launched = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] })
  try {
    const tab = await launched.newPage()
    const foreign: string[] = []
    tab.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreign.push(url)
    })
    const isSchema = async (text: Promise<string>) => (await text).includes('"__schema"')
    const schema = tab.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 200,
    )
    await tab.goto(`${origin}/graphql`)
    expect(await isSchema((await schema).text())).toBe(true)
    await tab.waitForSelector('.graphiql-execute-button')
    await tab.click('.graphiql-execute-button')
    await tab.waitForFunction(
      `document.querySelector('.result-window')?.textContent.includes('"Query"')`,
    )
    expect(foreign).toEqual([])
  } finally {
    await launched.close()
  }
})
