import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { graphiql } from '../../runtime/graphql/graphiql.js'

const inner = new Hono()
graphiql(inner)
inner.post('/', (c) => c.json({ data: { __typename: 'Query' } }))
inner.get('/', (c) => c.json({ errors: [] }, 400))
const app = new Hono().route('/graphql', inner)
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('a browser gets a page whose files all come from here', async () => {
  const response = await app.request('/graphql', { headers: page })
  const html = await response.text()
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(html).not.toMatch(/https?:\/\//)
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths).toHaveLength(4)
  for (const path of paths) {
    const file = await app.request(path)
    expect([path, file.status]).toEqual([path, 200])
    expect((await file.text()).length).toBeGreaterThan(5_000)
  }
})

test('a query of a browser is answered as one, and nothing else is served', async () => {
  expect((await app.request('/graphql?query={__typename}', { headers: page })).status).toBe(400)
  expect((await app.request('/graphql/graphiql/package.json')).status).toBe(404)
})

const browser = '/usr/bin/chromium'

test.runIf(existsSync(browser))('GraphiQL starts in a browser', async () => {
  const server = createServer(getRequestListener(app.fetch))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const launched = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] })
  try {
    const tab = await launched.newPage()
    const foreign: string[] = []
    tab.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreign.push(url)
    })
    await tab.goto(`${origin}/graphql`)
    await tab.waitForSelector('.graphiql-execute-button')
    expect(foreign).toEqual([])
  } finally {
    await launched.close()
    server.close()
  }
})
