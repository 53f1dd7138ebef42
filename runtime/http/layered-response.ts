import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

/**
 * Node's response, with headers that layers set before there is an answer. Node itself would check,
 * copy and write each of them alone (2 of 60 µs a request).
 */
export class LayeredResponse<Asked extends IncomingMessage> extends ServerResponse<Asked> {
  readonly layered: OutgoingHttpHeaders = {}

  /** What the answer itself says wins, in whatever case it is written. */
  override writeHead(status: number, ...more: unknown[]): this {
    const [own = {}] = more as [OutgoingHttpHeaders?]
    if (typeof own === 'string' || Array.isArray(own)) {
      for (const name in this.layered) this.setHeader(name, this.layered[name] ?? '')
      return super.writeHead(status, ...(more as [OutgoingHttpHeaders]))
    }
    for (const name in own) {
      this.#forget(name)
      this.layered[name] = own[name]
    }
    return super.writeHead(status, this.layered)
  }

  #forget(name: string): void {
    for (const known in this.layered) {
      const isOther = known.length !== name.length || known === name
      if (!isOther && known.toLowerCase() === name.toLowerCase()) delete this.layered[known]
    }
  }
}
