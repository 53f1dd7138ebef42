import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openProject, type Project } from '../../support/project.js'

const audits = serverAudits({ url: '' })
let blog: Project
let server: Server
let url = ''

beforeAll(async () => {
  blog = await openProject('blog', 'sqlite')
  server = createServer(getRequestListener(async (request) => blog.fetch(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a TCP server.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
})
afterAll(async () => {
  server.close()
  await blog.close()
})

describe('GraphQL over HTTP, by the audits of graphql-http', () => {
  test.each(audits.map(({ id, name }, at) => [id, name, at] as const))(
    '%s %s',
    async (_id, _name, at) => {
      const audit = serverAudits({ url })[at]
      const result = await audit?.fn()
      expect(result?.status, JSON.stringify(result)).toBe('ok')
    },
  )
})

describe('the GraphQL endpoint', () => {
  const send = (init: RequestInit = {}, query = '{ __typename }') =>
    fetch(`${url}?query=${encodeURIComponent(query)}`, init)

  it('keeps the CORS headers', async () => {
    const { headers } = await send({ headers: { origin: 'https://other.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('answers queries by GET, and refuses mutations there', async () => {
    expect(await (await send()).json()).toEqual({ data: { __typename: 'Query' } })
    const refused = await send({}, 'mutation { deletePost(id: 1) }')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it.each([
    [
      'application/json;q=0.5, application/graphql-response+json;q=0.9',
      'application/graphql-response+json',
    ],
    ['application/graphql-response+json;q=0.1, */*', 'application/json'],
    ['application/json', 'application/json'],
  ])('answers Accept: %s as %s', async (accept, type) => {
    const { headers } = await send({ headers: { accept } })
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  })

  it('has nothing for an Accept it does not know', async () => {
    for (const accept of ['image/png', 'constructor', 'toString', '__proto__']) {
      expect((await send({ headers: { accept } })).status).toBe(406)
    }
  })

  it.each<[string, RequestInit, number, string]>([
    [
      'a token that is refused',
      { headers: { authorization: 'Bearer 1|x' } },
      401,
      'UNAUTHENTICATED',
    ],
    ['another method', { method: 'PUT' }, 405, 'METHOD_NOT_ALLOWED'],
    ['a body that is no JSON', { method: 'POST', body: 'x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('answers %s as GraphQL does', async (_what, init, status, code) => {
    const response = await send(init)
    const { errors } = (await response.json()) as { errors: { extensions: object }[] }
    expect([response.status, errors[0]?.extensions]).toEqual([status, { code }])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('answers HEAD like GET, without a body, and refuses mutations there too', async () => {
    expect((await send({ method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST')
    const answered = await send({ method: 'HEAD' })
    expect([answered.status, await answered.text()]).toEqual([200, ''])
    expect((await send({ method: 'HEAD' }, 'mutation { deletePost(id: 1) }')).status).toBe(405)
  })

  it('names the parameter that cannot be read', async () => {
    const response = await fetch(`${url}?query={__typename}&variables={`)
    const { errors } = (await response.json()) as { errors: { message: string }[] }
    expect([response.status, errors[0]?.message]).toEqual([
      400,
      'The parameter variables is not valid JSON.',
    ])
  })

  it('answers an unexpected failure without its message', async () => {
    await blog.database.query({ sql: 'alter table posts rename to gone', access: 'write' }, [])
    const ann = await blog.user('Ann')
    const { body, status } = await blog.post(
      '/graphql',
      { query: '{ post(id: 1) { id title } }' },
      ann,
    )
    await blog.database.query({ sql: 'alter table gone rename to posts', access: 'write' }, [])
    expect([status, body.errors[0].message]).toEqual([200, 'Server error.'])
    expect(body.errors[0].extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' })
    expect(JSON.stringify(body)).not.toMatch(/posts|table|select|\.ts/)
  })
})
