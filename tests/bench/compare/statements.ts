/**
 * Counts what one request asks of its database, exactly: on PostgreSQL a proxy reads the protocol, on SQLite a preloaded
 * script counts calls of better-sqlite3's statements.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Server } from './server.js'

export interface Counted {
  readonly statements: number
  /** How often it waits for the database; what is sent meanwhile waits with it. */
  readonly roundTrips: number | null
}

export interface Counter {
  readonly url: string
  /** Before the server's own arguments. */
  readonly args: readonly string[]
  /** Since the last time it was asked. */
  take(server: Server): Promise<Counted>
  stop(): void
}

export async function startCounter(url: string): Promise<Counter> {
  return url.startsWith('file:') ? sqliteCounter(url) : postgresCounter(url)
}

function sqliteCounter(url: string): Counter {
  return {
    url,
    args: ['--require', fileURLToPath(new URL('count-sqlite.cjs', import.meta.url))],
    async take({ process: child }) {
      child.send('statements')
      const [statements] = await once(child, 'message')
      return { statements: Number(statements), roundTrips: null }
    },
    stop: () => {},
  }
}

async function postgresCounter(url: string): Promise<Counter> {
  const target = new URL(url)
  const counts = { statements: 0, roundTrips: 0 }
  /** Queries, on all connections, that are not answered yet. */
  let open = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => [client, server].forEach((each) => each.destroy()))
    }
    const asked = messageReader({ isClient: true }, (type) => {
      // Execute, and a query of the simple protocol.
      if (type === 'E' || type === 'Q') counts.statements += 1
      // Sync ends a query of the extended protocol.
      if (type !== 'S' && type !== 'Q') return
      if (open === 0) counts.roundTrips += 1
      open += 1
    })
    let isStarting = true
    const answered = messageReader({ isClient: false }, (type) => {
      if (type !== 'Z') return
      // The first one answers the connection, not a query.
      if (!isStarting) open -= 1
      isStarting = false
    })
    client.on('data', (chunk) => {
      asked(chunk)
      server.write(chunk)
    })
    // Held back, so that two queries that are sent together are seen together.
    server.on('data', (chunk) =>
      setTimeout(() => {
        answered(chunk)
        client.write(chunk)
      }, 5),
    )
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: through.href,
    args: [],
    async take() {
      const taken = { ...counts }
      Object.assign(counts, { statements: 0, roundTrips: 0 })
      return taken
    },
    stop() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Calls back with the type of each message, however the stream is cut. The first one of a client has no type. */
export function messageReader(
  { isClient }: { readonly isClient: boolean },
  onMessage: (type: string) => void,
) {
  let rest = Buffer.alloc(0)
  let isFirst = isClient
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isFirst ? 0 : 1
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      if (!isFirst) onMessage(String.fromCharCode(rest[0] ?? 0))
      isFirst = false
      rest = rest.subarray(end)
    }
  }
}
