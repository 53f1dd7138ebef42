import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { responseTooLarge } from '../errors.js'
import { isTurnLong, nextTurn } from '../event-loop.js'
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
export function checkBytes(c: Context<Served>, text: string | Buffer): void {
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

/** Bytes of answers whose body is bytes: to read them from the answer again takes long. */
const bytesOfAnswers = new WeakMap<Response, Buffer<ArrayBuffer>>()

/** Returns the bytes of an answer. */
export const bytesOf = async (response: Response): Promise<Buffer<ArrayBuffer>> =>
  bytesOfAnswers.get(response) ?? Buffer.from(await response.clone().arrayBuffer())

/** An answer of JSON that `jsonInTurns` wrote. */
export function respondWithBytes(
  c: Context,
  bytes: Buffer<ArrayBuffer>,
  status: 200 | 201,
): Response {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  if (outgoing instanceof CountedResponse) outgoing.atLeast(2 * bytes.length)
  const response = c.body(bytes, status, { 'Content-Type': 'application/json' })
  bytesOfAnswers.set(response, bytes)
  return response
}

/**
 * The JSON of an answer with many records, a record after the other: other requests are served
 * meanwhile. It takes half as long again as `JSON.stringify` of the whole.
 */
export async function jsonInTurns(answer: object): Promise<Buffer<ArrayBuffer>> {
  const bytes: Buffer[] = []
  let piece = ''
  for (const text of textsOfAnswer(answer)) {
    if (isTurnLong()) await nextTurn()
    piece += text
    if (piece.length < large) continue
    bytes.push(Buffer.from(piece))
    piece = ''
  }
  return Buffer.concat([...bytes, Buffer.from(piece)])
}

const textsOfAnswer = (answer: object): Texts =>
  textsOfMembers(answer, (name, value) => (name === 'data' ? textsOfRecords(value) : null))

type Texts = Iterable<string>

/** @param textsOf Of members that are written in pieces; null: at once. */
function* textsOfMembers(
  object: object,
  textsOf: (name: string, value: unknown) => Texts | null,
): Texts {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    const texts = textsOf(name, value)
    const text = texts === null ? jsonText(value) : ''
    if (text === undefined) continue
    yield `${before}${JSON.stringify(name)}:${text}`
    if (texts !== null) yield* texts
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Yields the texts of a record, or of a list of records. */
function* textsOfRecords(value: unknown): Texts {
  if (!Array.isArray(value)) return yield* textsOfRecord(value)
  let before = '['
  for (const record of value as unknown[]) {
    yield before
    yield* textsOfRecord(record)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* textsOfRecord(record: unknown): Texts {
  if (!isObject(record) || !('relationships' in record)) return yield jsonText(record) ?? 'null'
  yield* textsOfMembers(record, (name, value) =>
    name === 'relationships' && isObject(value) ? textsOfRelations(value) : null,
  )
}

const textsOfRelations = (relations: object): Texts =>
  textsOfMembers(relations, (_, related) => (isObject(related) ? textsOfRecords(related) : null))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

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
