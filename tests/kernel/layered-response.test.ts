import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { LayeredResponse } from '../../runtime/http/layered-response.js'

type Answer = InstanceType<typeof LayeredResponse>

/** The headers as they were sent, in their order, without those that Node adds. */
async function headersOf(answer: (response: Answer) => void): Promise<string[]> {
  const server = createServer({ ServerResponse: LayeredResponse }, (_, response) => {
    response.sendDate = false
    response.layer('X-Request-Id', 'abc')
    response.layer('Cache-Control', 'no-store')
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const sent = request({ port, host: '127.0.0.1', agent: false }).end()
    const [incoming] = await once(sent, 'response')
    incoming.resume()
    const raw: string[] = incoming.rawHeaders
    const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []))
    return pairs.filter((pair) => !/^(connection|keep-alive|content-length|transfer)/i.test(pair))
  } finally {
    server.close()
  }
}

const layers = ['X-Request-Id: abc', 'Cache-Control: no-store']

test.each([
  ['no headers', (response: Answer) => response.writeHead(200).end()],
  ['none written', (response: Answer) => response.end('x')],
  ['a reason', (response: Answer) => response.writeHead(200, 'Fine').end()],
])('an answer with %s has those of its layers', async (_, answer) => {
  expect(await headersOf(answer)).toEqual(layers)
})

test.each([
  ['an object', (response: Answer) => response.writeHead(200, { 'cache-control': 'max-age=60' })],
  ['a list', (response: Answer) => response.writeHead(200, ['cache-control', 'max-age=60'])],
  [
    'an object behind no reason',
    (response: Answer) => response.writeHead(200, undefined, { 'cache-control': 'max-age=60' }),
  ],
  [
    'an object behind a reason',
    (response: Answer) => response.writeHead(200, 'Fine', { 'cache-control': 'max-age=60' }),
  ],
])('what an answer says itself wins once, written as %s', async (_, answer) => {
  const headers = await headersOf((response) => void answer(response).end())
  expect(headers.toSorted()).toEqual(['X-Request-Id: abc', 'cache-control: max-age=60'])
})

test('a header that was set on the response stays beside them', async () => {
  const headers = await headersOf((response) => {
    response.setHeader('Set-Cookie', ['a=1', 'b=2'])
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end()
  })
  const cookies = ['Set-Cookie: a=1', 'Set-Cookie: b=2']
  expect(headers).toEqual([...cookies, ...layers, 'Content-Type: text/plain'])
})

test('they are read and taken away like those of the response', async () => {
  const headers = await headersOf((response) => {
    expect(response.getHeader('x-request-id')).toBe('abc')
    response.removeHeader('cache-control')
    response.end()
  })
  expect(headers).toEqual(['X-Request-Id: abc'])
})

test.each([
  ['X-Why', 'snow ☃'],
  ['X-Why', 'two\nlines'],
  ['X Why', 'x'],
])('a header %j: %j that cannot be sent is refused at once', async (name, value) => {
  const headers = await headersOf((response) => {
    expect(() => response.layer(name, value)).toThrow(TypeError)
    response.end()
  })
  expect(headers).toEqual(layers)
})

test('an answer with such a header is followed by another, of which it is no part', async () => {
  const headers = await headersOf((response) => {
    expect(() => response.writeHead(200, { 'X-Why': 'snow ☃' })).toThrow(TypeError)
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end()
  })
  expect(headers).toEqual([...layers, 'Content-Type: text/plain'])
})
