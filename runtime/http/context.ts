import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { SvcConfig } from '../config/server-config.js'
import type { Caller } from '../database/caller.js'
import type { HttpError } from '../errors.js'
import type { Exchange, PartOfRequest } from '../model/exchange.js'
import type { Log } from './log.js'

/** The token a request came with. */
export interface AccessToken {
  readonly id: number
  readonly name: string
  /** ISO string in UTC, or null: until it is revoked. */
  readonly expires_at: string | null
}

/** Variables of every request of this server, as `c.get('user')`. */
export interface ServerVariables<User> {
  /** The row of the signed-in user, or null. */
  user: User | null
  token: AccessToken | null
  /** Also in the header `X-Request-Id` of the answer and in the log. */
  requestId: string
  /** Reading and answering need this of the config. */
  server: Server
  /** Called with each Caller of a request that only reads, where replicas may answer it. */
  reads?: (caller: Caller) => void
  /** The request of a write, where extensions read more of it than its body. */
  exchange?: Exchange
  /** The parts of a writing request that features around it read. */
  around?: readonly PartOfRequest[]
  /** It writes nothing, whatever its method is. */
  onlyReads?: boolean
  /** A failure in the language of who asks, where something speaks languages. */
  inWords?: (error: HttpError, c: Context) => HttpError
}

export interface Server {
  readonly config: SvcConfig
  readonly log: Log
  /** The path of `APP_URL`, where it has one. */
  readonly prefix?: string
}

/** Hono's Env of this server. @example type AppEnv = ServerEnv<User, { tenant: string }> */
export interface ServerEnv<User, More extends object = object> {
  // Node's own request and response; absent in tests, which have no socket.
  Bindings: Partial<HttpBindings>
  Variables: ServerVariables<User> & More
}

/** The part of the Env that reading and answering needs, whatever the type of the user. */
export interface Served {
  Variables: Pick<
    ServerVariables<unknown>,
    'requestId' | 'server' | 'exchange' | 'around' | 'onlyReads' | 'inWords'
  >
}

/**
 * Sets a header of the answer; one the answer sets itself wins. Written to Node's response where
 * there is one (`app.request()` of a test has none): Hono's way builds a `Headers` for each answer.
 */
export function setHeader(c: Context, name: string, value: string): void {
  const outgoing = outgoingOf(c)
  if (outgoing === undefined) c.header(name, value)
  else if (!outgoing.headersSent) outgoing.setHeader(name, value)
}

/** Adds to a header that holds a list. */
export function appendHeader(c: Context, name: string, value: string): void {
  const outgoing = outgoingOf(c)
  if (outgoing === undefined) c.header(name, value, { append: true })
  else if (!outgoing.headersSent) outgoing.appendHeader(name, value)
}

/** Node's own response; tests have none. */
export const outgoingOf = (c: Pick<Context, 'env'>) =>
  (c.env as Partial<HttpBindings> | undefined)?.outgoing

/** Methods that write nothing. A browser asks with OPTIONS, which is answered before. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY'])

/** Returns true if a request only reads: by its method, or because its route has said so. */
export const isRead = (c: Pick<Context, 'req' | 'get'>): boolean =>
  reading.has(c.req.method) || c.get('onlyReads') === true
