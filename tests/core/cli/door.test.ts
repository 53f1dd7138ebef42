import { EventEmitter, once } from 'node:events'
import { Agent, createServer as createHttp, request } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDoor } from '../../../generator/commands/change/dev/door.js'
import { freePort } from './dev.js'

/** It answers the first request, and closes the connection at the moment when the next one comes in. */
const closing = (act: () => void) =>
  createServer((socket) => {
    let count = 0
    socket.on('data', () => {
      count += 1
      if (count === 1) return socket.write(whole)
      act()
      return socket.destroy()
    })
  })
const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold'

/** A door, the server that it leads to next, and a client that keeps its connection. */
async function opened() {
  const next = await listening(createHttp((asked, answer) => answer.end(`new ${asked.url}`)))
  const port = await freePort()
  const door = await openDoor('127.0.0.1', port)
  onTestFinished(() => door.close())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = (method: string) =>
    new Promise<string>((resolve) => {
      const asked = request(
        { port, host: '127.0.0.1', path: '/posts', method, agent },
        (answer) => {
          let text = ''
          answer.on('data', (chunk) => (text += String(chunk))).once('end', () => resolve(text))
        },
      )
      asked.once('error', ({ message }) => resolve(message)).end()
    })
  return { next, port, door, agent, ask }
}

test('a client of the old server that keeps its connection goes on with the new one', async () => {
  const { next, door, agent, ask } = await opened()
  for (const [method, answer] of [
    ['GET', 'new /posts'],
    ['POST', 'socket hang up'],
  ] as const) {
    door.lead(await listening(closing(() => door.lead(next))))
    expect(await ask(method)).toBe('old')
    expect(await ask(method)).toBe(answer)
    agent.destroy()
  }
})

test('an idle connection that the old server closes stays open; one that it cut off, or that ends its answer, ends', async () => {
  const { next, port, door } = await opened()
  for (const [answer, rest] of [
    [whole, 'open'],
    [whole.replace('Length: 3', 'Length: 4'), 'over'],
    [whole.replace('\r\n', '\r\nConnection: close\r\n'), 'over'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nold\r\n0\r\n\r\n', 'open'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nold\r\n', 'over'],
    ['HTTP/1.1 200 OK\r\n\r\nold', 'over'],
  ] as const) {
    const old = createServer((socket) => {
      socket.once('data', () => {
        door.lead(next)
        socket.end(answer)
      })
    })
    door.lead(await listening(old))
    const client = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void client.destroy())
    const isOver = once(client, 'end').then(() => 'over')
    client.write('GET /posts HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(client, 'data')
    const goesOn = once(client, 'data').then(() => 'open')
    client.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n')
    expect([answer, await Promise.race([isOver, goesOn])]).toEqual([answer, rest])
  }
})

test('a request between two servers waits, and where none follows the client hears it', async () => {
  const { next, door, agent, ask } = await opened()
  const asked = new EventEmitter()
  const isHeld = once(asked, 'held')
  door.lead(await listening(closing(() => (door.hold(), asked.emit('held')))))
  expect(await ask('GET')).toBe('old')
  const waiting = ask('GET')
  await isHeld
  door.lead(next)
  expect(await waiting).toBe('new /posts')
  agent.destroy()
  door.lead(await listening(closing(() => {})))
  expect(await ask('GET')).toBe('old')
  expect(await ask('GET')).toBe('socket hang up')
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
