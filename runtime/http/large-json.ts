import { randomInt } from 'node:crypto'
import { isTurnLong, nextTurn } from '../event-loop.js'
import type { JsonShape } from '../model/json-shape.js'

/** Bytes that are looked at, or become text, before others have their turn: some milliseconds. */
const pieceBytes = 131_072
/** Different names in one of them: each takes some microseconds to read. */
const pieceNames = 2_500

/** A list can be read in pieces: each begins behind a comma of the list itself. */
interface Scanned extends JsonShape {
  /** Bytes of the largest record of a list; else all of them. */
  readonly recordBytes: number
  /** Different names in what is read at once. */
  readonly names: number
  /** True if some name may be `__proto__`: any escape could spell it. */
  readonly mayNamePrototype: boolean
  /** The pieces of a list, without its brackets; null: the text is no list. */
  readonly pieces: readonly (readonly [from: number, to: number])[] | null
}

/**
 * Reads what `jsonShape` reads of a text, from its bytes in UTF-8, while other requests are served.
 */
export async function scanInTurns(bytes: Buffer): Promise<Scanned> {
  const scan = new Scan(bytes)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (isTurnLong()) await nextTurn()
    scan.read(at, Math.min(bytes.length, at + pieceBytes))
  }
  return scan.result()
}

/** Reads JSON while other requests are served; throws SyntaxError as `JSON.parse` does. */
export async function parseInTurns(bytes: Buffer, { pieces }: Scanned): Promise<unknown> {
  if (pieces === null) return JSON.parse(await textInTurns(bytes))
  const list: unknown[] = []
  for (const [from, to] of pieces) {
    if (isTurnLong()) await nextTurn()
    const text = await textInTurns(bytes.subarray(from, to))
    // A list of nothing is a list, but not a piece of one.
    if (pieces.length > 1 && text.trim() === '') throw new SyntaxError('a comma without a value')
    for (const value of JSON.parse(`[${text}]`) as unknown[]) list.push(value)
  }
  return list
}

async function textInTurns(bytes: Buffer): Promise<string> {
  let text = ''
  for (let from = 0; from < bytes.length;) {
    if (isTurnLong()) await nextTurn()
    const to = endOfCharacter(bytes, from + pieceBytes)
    text += bytes.toString('utf8', from, to)
    from = to
  }
  return text
}

/** The bytes of a character behind its first one begin with 10. */
function endOfCharacter(bytes: Buffer, at: number): number {
  let end = Math.min(bytes.length, at)
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1
  return end
}

const prototypeName = '__proto__'

/** Names are counted by numbers that nobody can foresee. */
const hashSeed = randomInt(2 ** 31)

class Scan {
  readonly #isList: boolean
  readonly #first: number
  #values = 1
  #depth = 0
  #deepest = 0
  #inString = false
  #isEscaped = false
  /** Behind the commas where pieces end. */
  readonly #cuts: number[] = []
  #lastCut = 0
  #lastComma = 0
  #recordBytes = 0
  /** The beginning of the last text. */
  #textFrom = 0
  #textTo = 0
  /** Names of the piece that is looked at, as numbers. */
  readonly #names = new Set<number>()
  #mostNames = 0
  #mayNamePrototype = false

  constructor(readonly bytes: Buffer) {
    let first = 0
    while (isBlank(bytes[first])) first += 1
    this.#first = first
    this.#isList = bytes[first] === 91
    this.#lastCut = first
    this.#lastComma = first
  }

  read(from: number, to: number): void {
    const { bytes } = this
    for (let at = from; at < to; at++) {
      const code = bytes[at]
      if (this.#inString) {
        if (this.#isEscaped) {
          this.#isEscaped = false
          if (code === 117) this.#mayNamePrototype = true
        } else if (code === 92) this.#isEscaped = true
        else if (code === 34) {
          this.#inString = false
          this.#textTo = at
        }
      } else if (code === 34) {
        this.#inString = true
        this.#textFrom = at + 1
      } else if (code === 44) this.#comma(at)
      else if (code === 58) this.#name()
      else if (code === 123 || code === 91) {
        this.#values += 1
        this.#depth += 1
        if (this.#depth > this.#deepest) this.#deepest = this.#depth
      } else if (code === 125 || code === 93) this.#depth -= 1
    }
  }

  #comma(at: number): void {
    this.#values += 1
    if (this.#depth !== 1 || !this.#isList) return
    this.#recordBytes = Math.max(this.#recordBytes, at - this.#lastComma)
    this.#lastComma = at
    if (at - this.#lastCut < pieceBytes && this.#names.size < pieceNames) return
    this.#cuts.push(at)
    this.#lastCut = at
    this.#countNames()
  }

  #name(): void {
    const { bytes } = this
    let number = hashSeed
    for (let at = this.#textFrom; at < this.#textTo; at++) {
      number = Math.imul(number ^ (bytes[at] ?? 0), 0x01000193)
    }
    this.#names.add(number)
    if (this.#textTo - this.#textFrom !== prototypeName.length) return
    const name = bytes.toString('latin1', this.#textFrom, this.#textTo)
    if (name === prototypeName) this.#mayNamePrototype = true
  }

  #countNames(): void {
    this.#mostNames = Math.max(this.#mostNames, this.#names.size)
    this.#names.clear()
  }

  result(): Scanned {
    this.#countNames()
    const left = this.bytes.length - this.#lastComma
    return {
      depth: this.#deepest,
      values: this.#values,
      recordBytes: Math.max(this.#recordBytes, left),
      names: this.#mostNames,
      mayNamePrototype: this.#mayNamePrototype,
      pieces: this.#pieces(),
    }
  }

  #pieces(): Scanned['pieces'] {
    const { bytes } = this
    const first = this.#first
    let last = bytes.length - 1
    while (isBlank(bytes[last])) last -= 1
    if (!this.#isList || bytes[last] !== 93 || last === first) return null
    const begins = [first + 1, ...this.#cuts.map((at) => at + 1)]
    const ends = [...this.#cuts, last]
    return begins.map((from, index) => [from, ends[index] ?? last] as const)
  }
}

/** Characters that are white space in JSON. */
const isBlank = (code: number | undefined) =>
  code === 32 || code === 10 || code === 13 || code === 9
