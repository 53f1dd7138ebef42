import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { setImmediate as turnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { SetupError } from '../setup-error.js'
import { CountedResponse } from './counted-response.js'
import type { UsualWay } from './direct-run.js'
import { directWay, type Router } from './direct.js'
import { latestRequests } from './latest-requests.js'
import type { Log } from './log.js'
import { reportOtherVersion } from './other-version.js'
import { inLine } from './pipelined.js'

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly log: Log
  /** Called when the last request has been answered: close databases here. */
  readonly onClose?: () => void | Promise<void>
  /**
   * Milliseconds new requests are still taken after the signal: what was sent before it is still
   * on its way.
   */
  readonly graceMs?: number
  /** Milliseconds a running request may take after that. */
  readonly shutdownTimeoutMs?: number
}

export interface Running {
  readonly server: Server
  /** With port 0, the one the system chose. */
  readonly port: number
  /** As on SIGTERM: takes what was sent, finishes it, closes. Does not end the process. */
  close(): Promise<void>
}

interface App {
  /** The router of a Hono app. */
  readonly router?: Router
  fetch(request: Request, env: unknown): Response | Promise<Response>
}

/**
 * Listens, and on SIGTERM or SIGINT ends without losing a request; a second signal ends at once.
 */
export async function serve(app: App, options: ServeOptions): Promise<Running> {
  const state = { closing: false }
  containRejections(options.log)
  const server = createListener(app, options.log, state)
  await listen(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  options.log.info({ host: options.host, port }, `listening on http://${options.host}:${port}`)
  if (!process.env['NODE_ENV']) reportAssumed(options)
  if (process.env['NODE_ENV'] !== 'production') reportOtherVersion(options.log)
  const close = () => closeServer(server, state, options)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal))
  return { server, port, close }

  function end(signal: string): void {
    if (state.closing) process.exit(1)
    options.log.info(`${signal}: finishing what was sent`)
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        options.log.fatal({ err: error }, 'closing failed')
        process.exit(1)
      },
    )
  }
}

/** To everybody who reads the log, and as a warning where other machines reach the server. */
function reportAssumed({ host, log }: ServeOptions): void {
  const text =
    'NODE_ENV is not set, so this is development: with its pages for developers, which say ' +
    'what policies answer, and without the checks of production. Where others use it, start it with NODE_ENV=production'
  if (/^(?:localhost|127\.|::1$)/.test(host)) log.info(text)
  else log.warn({ host }, text)
}

/**
 * A hook or a route that forgets an `await` must not end the server for all others. Whose promise
 * it was is not known (following each would cost every request): it was made by one of these.
 */
function containRejections(log: Log): void {
  process.on('unhandledRejection', (reason) => {
    log.error(
      { err: reason, latestRequests: latestRequests() },
      'nobody awaits a promise that was rejected',
    )
  })
}

/**
 * Requests that are begun before the event loop goes on: thousands that one client sent at once are
 * not to be answered before anybody else's.
 */
const mostAtOnce = 32

/** Bun and Deno have Node's `writeHead`, but not for a list of names and values. */
const isNode = !('bun' in process.versions || 'deno' in process.versions)

const never = () => false

function createListener(app: App, log: Log, state: { readonly closing: boolean }): Server {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: 'localhost', // HTTP/1.0 needs no Host: probes of load balancers
    errorHandler: (error) => lastResort(error, log),
  })
  const usualWay: UsualWay = (incoming, outgoing, failed) => {
    outgoing.failed = failed ?? null
    void listener(incoming, outgoing).then(() => outgoing.letGo())
  }
  const answerDirectly =
    app.router === undefined || !isNode ? never : directWay(app.router, usualWay)
  let taken = 0
  const take = (incoming: IncomingMessage, outgoing: CountedResponse<IncomingMessage>): void => {
    if (taken === mostAtOnce) return void setImmediate(take, incoming, outgoing)
    taken += 1
    if (taken === mostAtOnce) setImmediate(() => (taken = 0))
    if (state.closing) outgoing.setHeader('Connection', 'close')
    else if (answerDirectly(incoming, outgoing)) return
    usualWay(incoming, outgoing)
  }
  const server = createServer({ ServerResponse: CountedResponse }, (incoming, outgoing) => {
    // Node gives a connection to one answer at a time; those that come after it have none yet.
    if (outgoing.socket === null) inLine(outgoing, () => take(incoming, outgoing))
    else take(incoming, outgoing)
  })
  // Longer than proxies keep their side, so that they never write into a connection being closed.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 66_000
  return server
}

/**
 * What the app could not answer: a broken Host header or target, or something thrown that is no
 * Error.
 */
function lastResort(error: unknown, log: Log): Response {
  if (error instanceof RequestError) {
    return Response.json({ message: 'The request cannot be read.' }, { status: 400 })
  }
  log.error({ err: error }, 'request failed')
  return Response.json({ message: 'Server error.' }, { status: 500 })
}

async function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw explain(error, host, port)
  })
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const noAddress = `HOST '${host}' is not an address of this machine.`
  const texts: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the other program, or set PORT to a free one.`,
    EACCES: `Port ${port} of ${host} is not allowed to this user: set PORT above 1023.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
  }
  const text = texts[error.code ?? '']
  return text === undefined ? error : new SetupError(text)
}

/**
 * Lets in what has arrived: in a busy process, timers fire before it is read. Over when a few turns
 * of the event loop brought no connection and no request, or after a thousand turns.
 */
async function arrivals(server: Server): Promise<void> {
  let quiet = 0
  const note = () => (quiet = 0)
  server.on('connection', note).on('request', note)
  for (let turn = 0; turn < 1000 && quiet < 5; turn++, quiet++) await turnOfTheLoop()
  server.off('connection', note).off('request', note)
}

async function closeServer(
  server: Server,
  state: { closing: boolean },
  { graceMs = 300, shutdownTimeoutMs = 10_000, onClose }: ServeOptions,
): Promise<void> {
  state.closing = true
  // A connection closed at once would reset requests that are sent and not yet read.
  await sleep(graceMs)
  await arrivals(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection becomes idle with the answer to its request, and would be kept for the next one.
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs)
  await closed
  clearInterval(idle)
  clearTimeout(late)
  await onClose?.()
}
