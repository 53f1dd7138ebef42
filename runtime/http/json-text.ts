import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { responseTooLarge } from '../errors.js'
import type { Served } from './context.js'
import { CountedResponse } from './counted-response.js'

/** Characters from which bytes are sent: Node reserves three for each character of a text. */
const large = 16_384

/**
 * What is sent of a text: a large one as its bytes, where those of plain ASCII are copied, not
 * encoded. It counts for the memory that answers may take, if its rows did not say so much.
 */
export function bodyOf(c: Context, text: string): string | Buffer<ArrayBuffer> {
  if (text.length < large) return text
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  if (outgoing instanceof CountedResponse) outgoing.atLeast(2 * text.length)
  const isPlain = Buffer.byteLength(text) === text.length
  return Buffer.from(text, isPlain ? 'latin1' : 'utf8')
}

/** 400 for text that is longer than an answer may be, which a million small values can be, too. */
export function checkBytes(c: Context<Served>, text: string): void {
  const most = c.get('server')?.config.limits.response_bytes ?? Infinity
  const mayBe = text.length * 3 > most // in UTF-8
  if (mayBe && Buffer.byteLength(text) > most) throw responseTooLarge(most)
}

/**
 * JSON; undefined and functions have none. A hook may answer what JSON cannot hold: a BigInt is
 * text there, as ids are, and what holds itself ends with null. Looked for only then: a replacer is
 * slow.
 */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error // longer than a text can be
    return JSON.stringify(value, holdable())
  }
}

function holdable() {
  const above: unknown[] = []
  return function (this: unknown, _key: string, value: unknown): unknown {
    while (above.length > 0 && above.at(-1) !== this) above.pop()
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (above.includes(value)) return null
    above.push(value)
    return value
  }
}
