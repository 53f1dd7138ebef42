import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memory } from '../../../runtime/database/memory.js'
import { CountedResponse } from '../../../runtime/http/counted-response.js'
import { stalled } from '../../../runtime/http/unread-answers.js'

const megabyte = 1024 * 1024

const usual = stalled.ms
const usualLimit = memory.limit
beforeEach(() => {
  memory.limit = 256 * megabyte
})
afterEach(() => {
  stalled.ms = usual
  memory.limit = usualLimit
})

/** Answers each request with so many bytes. */
async function serverOf(bytes: number) {
  const answer = Buffer.alloc(bytes, 'x')
  const server = createServer({ ServerResponse: CountedResponse }, (_, response) => {
    response.writeHead(200, { 'Content-Length': bytes }).end(answer)
    response.end() // as a layer may that does not know
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}) // cut off
    await once(socket, 'connect')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return socket
  }
  const end = () => {
    server.closeAllConnections()
    server.close()
  }
  return { server, ask, end }
}

/** Bytes that come until there are so many. */
async function readAll(socket: Socket, until: number): Promise<number> {
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes >= until) socket.end()
  })
  await once(socket, 'close')
  return bytes
}

test('a client that reads nothing of its answer is cut off, one that reads on is not', async () => {
  stalled.ms = 100
  const { server, ask, end } = await serverOf(32 * megabyte)
  try {
    const closed = new Promise<void>((resolve) => {
      server.on('connection', (socket) => socket.once('close', resolve))
    })
    const lazy = await ask()
    lazy.pause()
    await closed
    expect(lazy.bytesRead).toBeLessThan(32 * megabyte)
    stalled.ms = usual
    expect(await readAll(await ask(), 32 * megabyte)).toBeGreaterThan(32 * megabyte)
  } finally {
    end()
  }
})

test('an answer that is ended twice counts once', async () => {
  const { server, ask, end } = await serverOf(48 * megabyte)
  try {
    const sockets: Socket[] = []
    server.on('connection', (socket) => sockets.push(socket))
    for (let i = 0; i < 4; i += 1) {
      const asked = once(server, 'request')
      const socket = await ask()
      socket.pause()
      await asked
    }
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false])
  } finally {
    end()
  }
})

test('where answers wait with too much, the one that waited longest is cut off', async () => {
  const { server, ask, end } = await serverOf(48 * megabyte)
  try {
    const order: number[] = []
    let count = 0
    const first = new Promise<void>((resolve) => {
      server.on('connection', (socket) => {
        const number = count++
        socket.once('close', () => {
          order.push(number)
          resolve()
        })
      })
    })
    for (let i = 0; i < 6; i += 1) (await ask()).pause()
    await first
    expect(order).toEqual([0])
  } finally {
    end()
  }
})
