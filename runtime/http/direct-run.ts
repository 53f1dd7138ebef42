import type { IncomingMessage } from 'node:http'
import type { Assumption } from '../database/assumption.js'
import { andThen, type Later } from '../later.js'
import type { CountedResponse, Failed } from './counted-response.js'
import type { After, Afterwards, Answer, DirectRequest, Part } from './direct-request.js'

/** `serve` calls this with a request that cannot be answered here: `failed` has the error. */
export type UsualWay = (
  incoming: IncomingMessage,
  outgoing: CountedResponse<IncomingMessage>,
  failed?: Failed,
) => void

/** Where the step stands that assumed something, and what was there before it. */
interface Mark {
  readonly step: number
  readonly headers: number
  readonly afterwards: number
}

/** Runs the steps of a request, then answers it; what throws goes to the usual way. */
export class DirectRun {
  readonly #afterwards: After[] = []
  #mark: Mark | null = null

  constructor(
    readonly request: DirectRequest,
    readonly parts: readonly Part[],
    readonly answer: Answer,
    readonly usualWay: UsualWay,
  ) {}

  begin(): void {
    try {
      const done = this.#from(0)
      if (done instanceof Promise) done.catch((error: unknown) => this.#failed(error))
    } catch (error) {
      this.#failed(error)
    }
  }

  #from(at: number): Later<void> {
    const { request, parts } = this
    const part = parts[at]
    if (part === undefined) return andThen(this.answer(request), (body) => this.#answered(body))
    const mark = { step: at, headers: request.headers.length, afterwards: this.#afterwards.length }
    const done = part.step?.(request)
    if (request.assumption !== null) this.#mark ??= mark
    const rest = () => this.#from(at + 1)
    return andThen(done, (after) => {
      this.#add(after)
      return part.wrap === undefined ? rest() : part.wrap(request, rest)
    })
  }

  #add(after: Afterwards): void {
    if (after !== undefined) this.#afterwards.push(after)
  }

  #answered(body: string | Buffer): Later<void> {
    const { assumption } = this.request
    if (assumption === null) return this.#send(body)
    return andThen(assumption.isTrue(), (isTrue) => (isTrue ? this.#send(body) : this.#again()))
  }

  /** From the step that assumed something, which assumes nothing now. */
  #again(): Later<void> {
    const { request } = this
    const { step, headers, afterwards } = this.#mark ?? { step: 0, headers: 0, afterwards: 0 }
    request.assumption = null
    request.mayAssume = false
    request.headers.length = headers
    this.#afterwards.length = afterwards
    return this.#from(step)
  }

  #send(body: string | Buffer): void {
    const { headers, env, status } = this.request
    headers.push('Content-Type', 'application/json')
    headers.push('Content-Length', String(Buffer.byteLength(body)))
    env.outgoing.writeHead(status, headers)
    this.#finish(status)
    env.outgoing.end(body)
  }

  #finish(status: number | null, error?: unknown): void {
    for (let at = this.#afterwards.length - 1; at >= 0; at--) this.#afterwards[at]?.(status, error)
  }

  #failed(error: unknown): void {
    const { assumption } = this.request
    if (assumption === null) this.#giveUp(error)
    else this.#unlessAssumed(assumption, error).catch((other: unknown) => this.#giveUp(other))
  }

  /** Something that did not hold may be why it failed. */
  async #unlessAssumed(assumption: Assumption, error: unknown): Promise<void> {
    if (await assumption.isTrue()) this.#giveUp(error)
    else await this.#again()
  }

  #giveUp(error: unknown): void {
    this.#finish(null, error)
    const { requestId, user, token, startedAt, kept, env } = this.request
    const failed = { error, requestId, user, token, startedAt, kept }
    this.usualWay(env.incoming, env.outgoing, failed)
  }
}
