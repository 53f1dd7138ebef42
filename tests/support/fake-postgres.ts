/**
 * As much of PostgreSQL's protocol as a pool of connections needs, in a process that answers only when a test says so, and
 * records what came in which order: what no database and no pooler can be made to show.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export interface FakePostgres {
  /** Of what came from clients. */
  readonly seen: readonly string[]
  readonly port: number
  /** Answers the statement that runs, all of it in one write. */
  answer(answer: Buffer): void
  /** Ends the connection of the last cancel. */
  endCancel(): void
  close(): void
}

interface Tls {
  readonly key: string
  readonly cert: string
}

/** @param tls Without it, nobody is asked for TLS. */
export async function startFakePostgres(tls?: Tls): Promise<FakePostgres> {
  const seen: string[] = []
  let running: Socket
  let canceling: Socket
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket, tls === undefined ? '' : ' without TLS')
  })

  function serve(socket: Socket, how: string): void {
    let left = Buffer.alloc(0)
    let name = ''
    socket.on('data', (data) => {
      left = Buffer.concat([left, data])
      while (name === '' ? first() : next());
    })

    /** A request for TLS, a cancel or a login: of these, only the length comes first. */
    function first(): boolean {
      const message = take(0)
      if (message === null) return false
      const code = message.readInt32BE(4)
      if (code === sslRequest && tls !== undefined) {
        socket.removeAllListeners('data').write('S')
        serve(new TLSSocket(socket, { isServer: true, ...tls }), ' over TLS')
        return false
      }
      if (code === cancelRequest) {
        canceling = socket
        seen.push(`cancel of ${message.readInt32BE(8)}, ${message.readInt32BE(12)}${how}`)
        socket.once('end', () => seen.push('the client ends its cancel'))
        return false
      }
      connections += 1
      name = `connection ${connections}`
      socket.once('end', () => seen.push(`${name} ends`))
      socket.write(Buffer.concat([authenticated, keyOf(connections), ready]))
      return true
    }

    function next(): boolean {
      const message = take(1)
      if (message === null) return false
      const type = String.fromCharCode(message[0] ?? 0)
      if (type === 'Q') socket.write(Buffer.concat([done, ready]))
      if (type === 'S') {
        running = socket
        seen.push(`statement on ${name}`)
      }
      if (type === 'X') socket.end()
      return true
    }

    function take(before: number): Buffer | null {
      if (left.length < before + 4) return null
      const length = before + left.readInt32BE(before)
      if (left.length < length) return null
      const message = left.subarray(0, length)
      left = left.subarray(length)
      return message
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    port: (server.address() as AddressInfo).port,
    answer: (answer) => void running.write(answer),
    endCancel: () => void canceling.end(),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const sslRequest = 80_877_103
const cancelRequest = 80_877_102

const message = (type: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.from(`${type}    `)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const authenticated = message('R', int32(0))
const keyOf = (process: number) => message('K', int32(process), int32(4711))
const done = message('C', 'SELECT 1\0')
const ready = message('Z', 'I')
const described = Buffer.concat([message('1'), message('2'), message('n')])

/** A record of one text, and the end of the statement. */
export const record = (text: string): Buffer =>
  Buffer.concat([
    described,
    message('D', Buffer.from([0, 1]), int32(text.length), text),
    done,
    ready,
  ])

/** The end of a statement that was cancelled. */
export const canceled = Buffer.concat([
  message('E', 'SERROR\0', 'C57014\0', 'Mcanceling statement due to user request\0', '\0'),
  ready,
])
