import { isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import pg, { type PoolClient } from 'pg'

/** Milliseconds to wait for the end of a cancel; its connection is then closed, and not used again. */
const waitMs = 5_000

/** Milliseconds after which no end will come: PgBouncer itself lets a cancel wait for 120 seconds. */
const longestMs = 300_000

/**
 * Asks PostgreSQL to end what a connection runs, and resolves when the other side has ended the
 * connection that this takes, as libpq does: the cancel hits nothing any more that begins from now on.
 * False: it may still come.
 *
 * The other side must be the first to end. PgBouncer 1.18 ends itself, with all its connections, where
 * a client does so first: https://github.com/pgbouncer/pgbouncer/issues/801. `client.cancel` of node-pg
 * goes without TLS, and does not say when it is over.
 */
export function requestCancel(client: PoolClient): Promise<boolean> {
  const canceled = client as unknown as Connected
  const address = addressOf(canceled)
  // It is closed, or a pooler gave it no key.
  if (address === null || canceled.processID === null) return Promise.resolve(true)
  const canceling = connectionLike(canceled)
  const { stream } = canceling
  stream.setTimeout(longestMs, () => stream.destroy())
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), waitMs)
    canceling.on('error', () => {}) // The database may be gone; then so is the statement.
    canceling.on('end', () => {
      clearTimeout(timer)
      resolve(true)
    })
    canceling.connect(...address)
  })
}

/** One more of the same kind, which sends the cancel where another would log in. */
function connectionLike(canceled: Connected): Protocol {
  const { processID, secretKey, sslNegotiation } = canceled
  const ssl = tlsOf(canceled)
  const config: object = { ssl, sslNegotiation, keepAlive: true }
  const canceling = new pg.Connection(config) as unknown as Protocol
  const asksForTls = ssl !== false && sslNegotiation !== 'direct'
  if (asksForTls) canceling.on('connect', () => canceling.requestSsl())
  canceling.on(ssl === false ? 'connect' : 'sslconnect', () =>
    canceling.cancel(processID, secretKey),
  )
  return canceling
}

/** Returns the address of the connection: its name may have several addresses. */
function addressOf({ host, port, connection }: Connected): Address | null {
  if (host.startsWith('/')) return [`${host}/.s.PGSQL.${port}`]
  const { remoteAddress } = connection.stream
  return remoteAddress === undefined ? null : [port, remoteAddress]
}

/** Certificates are checked against the name, not the address. */
function tlsOf({ host, ssl }: Connected): ConnectionOptions | false {
  if (ssl === false) return false
  const options = ssl === true ? {} : ssl
  const { key } = options // node-pg hides it from copies
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return Object.assign({}, options, key === undefined ? {} : { key }, { host }, servername)
}

/** Members of node-pg's connection that its types leave out. */
interface Connected {
  readonly host: string
  readonly port: number
  readonly ssl: ConnectionOptions | boolean
  readonly sslNegotiation: string
  readonly processID: number | null
  readonly secretKey: number
  readonly connection: { readonly stream: Socket }
}

type Address = readonly [path: string] | readonly [port: number, host: string]

interface Protocol {
  readonly stream: Socket
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
  connect(...to: Address): void
  requestSsl(): void
  cancel(processID: number | null, secretKey: number): void
}
