import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Assumption } from '../database/assumption.js'
import type { Caller } from '../database/caller.js'
import type { Later } from '../later.js'
import type { AccessToken, Server } from './context.js'
import type { CountedResponse } from './counted-response.js'

/** Headers that steps read. */
export interface SentHeaders {
  authorization?: string
  origin?: string
  'x-request-id'?: string
  host?: string
}

/** Has what `readShowQuery`, `callerOf` and `paginated` read of Hono's context. */
export class DirectRequest {
  readonly env: {
    readonly incoming: IncomingMessage
    readonly outgoing: CountedResponse<IncomingMessage>
  }
  readonly req: {
    readonly method: 'GET'
    /** From the root, with its query. */
    readonly url: string
    readonly path: string
    header(name: string): string | undefined
  }
  /** The record's id, where the path has one. */
  readonly id: string
  server: Server | undefined
  requestId = ''
  user: unknown = null
  token: AccessToken | null = null
  /** What steps and answer may rely on before it is known; null: nothing. */
  assumption: Assumption | null = null
  /** False once an assumption did not hold. */
  mayAssume = true
  /** Of `performance.now`; null: no line of the log is wanted. */
  startedAt: number | null = null
  /** Headers of the answer, names and values by turns. */
  readonly headers: string[] = []

  constructor(
    incoming: IncomingMessage,
    outgoing: CountedResponse<IncomingMessage>,
    { url, path, id }: Address,
    readonly sent: SentHeaders,
  ) {
    this.env = { incoming, outgoing }
    this.req = { method: 'GET', url, path, header: (name) => headerOf(incoming, name) }
    this.id = id
  }

  get(name: string): unknown {
    if (name === 'user') return this.user
    if (name === 'token') return this.token
    if (name === 'reads') return this.#reads
    return name === 'server' ? this.server : undefined
  }

  /** The first statement of the request has the read of its assumption beside it. */
  readonly #reads = (caller: Caller): void => {
    if (this.assumption !== null) caller.assume(this.assumption)
  }

  /** For functions that read requests: they use no more of a context than there is here. */
  get context(): Context {
    return this as unknown as Context
  }
}

interface Address {
  readonly url: string
  readonly path: string
  readonly id: string
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Work of a handler after the answer; a status of null: the request failed. */
export type Afterwards = ((status: number | null) => void) | void
export type Step = (request: DirectRequest) => Later<Afterwards>
export type Answer = (request: DirectRequest) => Later<string | Buffer>
