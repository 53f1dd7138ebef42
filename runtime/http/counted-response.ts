import { type IncomingMessage, ServerResponse } from 'node:http'
import { Holding, memory } from '../database/memory.js'
import type { AccessToken } from './context.js'
import { waitForReader } from './unread-answers.js'

/** An error on the direct way of a request, and what was known of the request until then. */
export interface Failed {
  readonly error: unknown
  readonly requestId: string
  readonly user: unknown
  readonly token: AccessToken | null
  /** Of `performance.now`. */
  readonly startedAt: number
  /** Pairs of headers, of handlers that must not run again. */
  readonly kept: readonly string[]
}

/** Node's response, which counts what it takes of the memory for answers until it is read. */
export class CountedResponse<Asked extends IncomingMessage> extends ServerResponse<Asked> {
  /** Null: nothing of it is counted, being small or of no repository. */
  #holding: Holding | null = null
  #body = 0
  /** The usual way answers it. */
  failed: Failed | null = null

  /** @param asker Who asks: a user or an address. */
  hold(asker: () => string): Holding {
    return (this.#holding ??= new Holding(memory, this.req.socket, asker))
  }

  /** Counts an answer that takes more memory than was counted. */
  atLeast(bytes: number): void {
    this.#holding?.atLeast(bytes)
  }

  /**
   * Takes memory for the body of the request until it is answered. False: there is none. A body is
   * as long as its client says, who may be slow to send it, so nobody waits for its end.
   */
  takeBody(bytes: number): boolean {
    if (!memory.takeBody(bytes)) return false
    this.#body += bytes
    return true
  }

  override end(...body: unknown[]): this {
    const isFirst = !this.writableEnded
    super.end(...(body as []))
    if (!isFirst) return this
    this.#leaveBody()
    if (this.writableLength === 0) this.#holding?.settle(0)
    else
      waitForReader(
        this,
        this.hold(() => this.req.socket.remoteAddress ?? ''),
      )
    return this
  }

  /** Releases the memory when nobody is answered any more: the client left. */
  letGo(): void {
    if (this.writableEnded) return
    this.#holding?.settle(0)
    this.#leaveBody()
  }

  #leaveBody(): void {
    if (this.#body === 0) return
    memory.leaveBody(this.#body)
    this.#body = 0
  }
}
