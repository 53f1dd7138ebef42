/** Below a path of a proxy, as docs/deploying.md has it: a client follows what it is answered. */
import { createServer, request as ask, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blocks } from '../../support/pages.js'
import { openProject, type Project } from '../../support/project.js'

const page = 'docs/deploying.md'
const textOf = (language: string) =>
  blocks().find((block) => block.page === page && block.language === language)?.text ?? ''

/** Returns the rules of both samples: this path is removed, and the rest is asked below. */
function rulesOf(text: string) {
  const [, prefix = ''] = /(?:location|handle_path) (\/\w+)\//.exec(text) ?? []
  const [, below] = /(?:proxy_pass http:\/\/|reverse_proxy )127\.0\.0\.1:3000(\/?)/.exec(text) ?? []
  // nginx takes the path away where its target has one, `handle_path` in any case.
  return { prefix, isTaken: text.includes('handle_path') || below === '/' }
}

let blog: Project
let behind: Server
beforeAll(async () => {
  vi.stubEnv('APP_URL', 'https://example.org/shop/')
  blog = await openProject('blog', 'sqlite', {}, 'development')
  behind = createServer(getRequestListener((request) => blog.fetch(request))).listen(0, '127.0.0.1')
})
afterAll(async () => {
  behind.close()
  await blog.close()
  vi.unstubAllEnvs()
})

const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

describe.each(['nginx', 'caddy'])('below the path that %s takes away', (language) => {
  const { prefix, isTaken } = rulesOf(textOf(language))
  let proxy: Server
  beforeAll(() => {
    proxy = createServer((incoming, outgoing) => {
      const { url = '', method, headers } = incoming
      if (!url.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end()
      const path = isTaken ? url.slice(prefix.length) : url
      const inner = ask({ port: portOf(behind), path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      return incoming.pipe(inner)
    }).listen(0, '127.0.0.1')
  })
  afterAll(() => void proxy.close())
  // oxlint-disable-next-line typescript/no-explicit-any -- a wrong path is a failing test
  const json = (answer: Response): Promise<any> => answer.json()
  const at = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${portOf(proxy)}${path}`, { redirect: 'manual', ...init })

  test('links of a page, and the address of a new record, lead back', async () => {
    const token = blog.token(await blog.user(`Ann by ${language}`))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const made = await at(`${prefix}/api/svc/companies`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ name: `Acme of ${language}` }) },
    })
    expect(made.status).toBe(201)
    const location = made.headers.get('location') ?? ''
    expect((await at(location, { headers })).status).toBe(200)
    const list = await json(await at(`${prefix}/api/svc/companies?perPage=1`, { headers }))
    expect(list.links.first).toBe(`${prefix}/api/svc/companies?page=1&perPage=1`)
    expect((await at(list.links.last, { headers })).status).toBe(200)
    expect(list.meta.path).toBe(`${prefix}/api/svc/companies`)
  })

  test('the page, GraphiQL and the document are found', async () => {
    const redirect = await at(`${prefix}/`)
    expect(redirect.headers.get('location')).toBe(`${prefix}/docs`)
    expect((await at(`${prefix}/docs`)).status).toBe(200)
    const document = await json(await at(`${prefix}/openapi.json`))
    expect(document.servers).toEqual([{ url: prefix }])
    const graphiql = await at(`${prefix}/graphql`, { headers: { accept: 'text/html' } })
    const [, script = ''] = /src="([^"]+page\.js)"/.exec(await graphiql.text()) ?? []
    expect((await at(script)).status).toBe(200)
  })
})
