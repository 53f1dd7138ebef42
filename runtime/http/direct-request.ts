import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Assumption } from '../database/assumption.js'
import type { Caller } from '../database/caller.js'
import type { Later } from '../later.js'
import type { AccessToken, Server } from './context.js'
import type { CountedResponse } from './counted-response.js'

/** Headers that steps read without Node's object of all headers. */
export interface SentHeaders {
  authorization?: string
  origin?: string
  'x-request-id'?: string
  host?: string
}

/** Has what svc's own functions read of Hono's context: `readShowQuery`, `readBody`, `paginated`. */
export class DirectRequest {
  readonly env: {
    readonly incoming: IncomingMessage
    readonly outgoing: CountedResponse<IncomingMessage>
  }
  readonly req: {
    readonly method: string
    /** From the root, with its query. */
    readonly url: string
    readonly path: string
    /** Hono's place for a body that was read already: here there is none. */
    readonly bodyCache: object
    header(name: string): string | undefined
    arrayBuffer(): Promise<Buffer>
  }
  /** The record's id, where the path has one. */
  readonly id: string
  /** The pattern of its route. */
  readonly route: string
  server: Server | undefined
  requestId = ''
  user: unknown = null
  token: AccessToken | null = null
  /** What steps and answer may rely on before it is known; null: nothing. */
  assumption: Assumption | null = null
  /** False once an assumption did not hold. */
  mayAssume = true
  /** Of `performance.now`. */
  readonly startedAt = performance.now()
  /** The status of the answer, unless something is thrown. */
  status: 200 | 201 = 200
  /** Pairs of headers that the usual way sets again, of steps that it must not repeat. */
  readonly kept: string[] = []
  #variables: Map<string, unknown> | null = null
  #body: Promise<Buffer> | null = null
  /** Headers of the answer, names and values by turns. */
  readonly headers: string[] = []

  constructor(
    incoming: IncomingMessage,
    outgoing: CountedResponse<IncomingMessage>,
    { method, url, path, id, route }: Address,
    readonly sent: SentHeaders,
  ) {
    this.env = { incoming, outgoing }
    this.req = {
      method,
      url,
      path,
      bodyCache: noBody,
      header: (name) => headerOf(incoming, name),
      // Whoever begins anew reads the same.
      arrayBuffer: () => (this.#body ??= bytesOf(incoming)),
    }
    this.id = id
    this.route = route
  }

  get(name: string): unknown {
    if (name === 'user') return this.user
    if (name === 'token') return this.token
    if (name === 'reads') return this.#reads
    if (name === 'requestId') return this.requestId
    return name === 'server' ? this.server : this.#variables?.get(name)
  }

  set(name: string, value: unknown): void {
    this.#variables ??= new Map()
    this.#variables.set(name, value)
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
  readonly method: string
  readonly url: string
  readonly path: string
  readonly id: string
  readonly route: string
}

const noBody = Object.freeze({})

/** The bytes of a body that has a declared length. */
function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const [first] = pieces
      resolve(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces))
    })
    incoming.on('error', reject)
    incoming.on('close', () => reject(new Error('The client left.')))
  })
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Work of a handler after the answer; null: the usual way answers what was thrown. */
export type After = (status: number | null, error?: unknown) => void
export type Afterwards = After | void
export type Step = (request: DirectRequest) => Later<Afterwards>
/** Runs the rest of a request inside something: what follows an `AsyncLocalStorage`, say. */
export type Wrap = (request: DirectRequest, rest: () => Later<void>) => Later<void>
/** What a handler does before the answer. */
export interface Part {
  readonly step?: Step
  readonly wrap?: Wrap
  /** Returns true if it has more to do with a request: then it takes the usual way. */
  readonly declines?: (request: DirectRequest) => boolean
}
export type Answer = (request: DirectRequest) => Later<string | Buffer>
