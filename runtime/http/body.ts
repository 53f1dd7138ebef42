import { isUtf8 } from 'node:buffer'
import type { Context } from 'hono'
import { badRequest, HttpError, invalid } from '../errors.js'
import { nextTurn } from '../event-loop.js'
import { sentence } from '../input/messages.js'
import type { Input } from '../input/validation.js'
import { type JsonShape, jsonShape } from '../model/json-shape.js'
import { parseInTurns, scanInTurns } from './large-json.js'

type HasRequest = Pick<Context, 'req'>

/**
 * The bytes of the body; more than `limit` is 413, by the declared length or as it grows. They may be
 * read again.
 */
export async function readBytes(c: HasRequest, limit: number): Promise<Buffer> {
  const declared = Number(c.req.header('content-length') ?? Number.NaN)
  if (declared > limit) throw tooLarge(limit)
  if (Number.isNaN(declared) && c.req.bodyCache.arrayBuffer === undefined) {
    const read = await readStream(c, limit)
    // Hono's type leaves out that it is a promise.
    c.req.bodyCache.arrayBuffer = Promise.resolve(read) as unknown as ArrayBuffer
    return read
  }
  // Node's parser ends the body at the declared length.
  const bytes = await c.req.arrayBuffer().catch(() => {
    throw endedEarly()
  })
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return Buffer.from(bytes)
}

async function readStream(c: HasRequest, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.byteLength
      if (size > limit) break // which cancels the rest
      chunks.push(chunk)
    }
  } catch {
    throw endedEarly()
  }
  if (size > limit) throw tooLarge(limit)
  return Buffer.concat(chunks)
}

/** The client went away while it was sending. */
const endedEarly = () => badRequest('The request body ended early.')

const tooLarge = (limit: number) =>
  new HttpError(413, `The request body is larger than ${limit} bytes.`)

/** 415 unless the body says that it is JSON in UTF-8 and not compressed. */
export function requireJson(c: HasRequest): void {
  const type = c.req.header('content-type') ?? ''
  if (type !== 'application/json' && !isJson(type)) {
    throw new HttpError(415, 'The request body must be JSON: send Content-Type: application/json.')
  }
  const encoding = c.req.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    throw new HttpError(415, 'Compressed request bodies are not accepted.')
  }
}

function isJson(type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? 'utf-8'
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type) && /^utf-?8$/i.test(charset)
}

/** Values in one body: each is made, checked and written while other requests wait. */
const mostValues = 100_000

/**
 * Parses JSON from outside: no deeper than `depth`, of no more than 100,000 values, and no key
 * `__proto__` at any level. Beside the other keys of the body it is unknown, and left out like
 * those unless that is strict; inside a value it is a 422.
 */
export function parseJson(bytes: Buffer, depth: number, isStrict = false): unknown {
  requireText(bytes)
  const text = bytes.toString('utf8')
  requireShape(jsonShape(text), depth)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson()
  }
  if (mayNamePrototype(text)) denyPrototype(value, isStrict)
  return value
}

/** Bytes from which JSON is read in pieces. */
const largeBody = 65_536

/** Different names in one record: each is kept for itself, so that 75,000 take 200 ms to read. */
const mostNames = 10_000

interface BodyLimits {
  readonly depth: number
  /** Bytes of one record, where the body is a list of them. */
  readonly recordBytes: number
  readonly isStrict: boolean
}

/** Parses a body of any size: other requests are served while a large one is read. */
export async function parseBody(
  bytes: Buffer,
  { depth, recordBytes, isStrict }: BodyLimits,
): Promise<unknown> {
  if (bytes.length < largeBody) return parseJson(bytes, depth, isStrict)
  await nextTurn()
  requireText(bytes)
  const scanned = await scanInTurns(bytes)
  requireShape(scanned, depth)
  if (scanned.recordBytes > recordBytes) {
    throw new HttpError(413, `A record of the request body is larger than ${recordBytes} bytes.`)
  }
  if (scanned.names > mostNames) {
    throw badRequest(`The JSON holds more than ${mostNames} different names in one record.`)
  }
  const value = await parseInTurns(bytes, scanned).catch(() => {
    throw notJson()
  })
  if (scanned.mayNamePrototype) denyPrototype(value, isStrict)
  return value
}

function requireText(bytes: Buffer): void {
  if (bytes.length === 0) throw badRequest('The request body is empty; send a JSON object.')
  if (!isUtf8(bytes)) throw badRequest('The request body is not UTF-8.')
}

function requireShape(shape: JsonShape, depth: number): void {
  if (shape.depth > depth) throw badRequest(`The JSON is nested deeper than ${depth} levels.`)
  if (shape.values > mostValues) {
    throw badRequest(`The JSON holds more than ${mostValues} values.`)
  }
}

const notJson = () => badRequest('The request body is not valid JSON.')

/** Escapes could spell it too, so any escape is reason enough for the slower way. */
const mayNamePrototype = (text: string) => text.includes('__proto__') || text.includes('\\u')

function denyPrototype(body: unknown, isStrict: boolean): void {
  if (typeof body !== 'object' || body === null) return
  if (isStrict && Object.hasOwn(body, '__proto__')) {
    throw invalid(new Map([['__proto__', ['The __proto__ field is not known.']]]))
  }
  Reflect.deleteProperty(body, '__proto__')
  const wrong = Object.entries(body).filter(([, value]) => namesPrototype(value))
  if (wrong.length === 0) return
  const text = 'must not contain the key __proto__'
  throw invalid(new Map(wrong.map(([name]) => [name, [sentence(name, text)]])))
}

/** Recursion ends at the depth that was let through. */
function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const key in value) {
    if (key === '__proto__' || namesPrototype((value as Input)[key])) return true
  }
  return false
}
