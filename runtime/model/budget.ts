import { Caller } from '../database/caller.js'
import type { RawRow } from '../database/types.js'
import { badRequest, responseTooLarge } from '../errors.js'
import { jsonBytes } from './json-bytes.js'
import { jsonShape } from './json-shape.js'

interface Limits {
  readonly maxRelated: number
  readonly maxResponse: number
}

interface Query {
  readonly budget?: Budget | undefined
  readonly caller?: Caller
}

/** The indexes of shown texts in rows, and the most bytes of all else: a RowReader knows them. */
interface Shown {
  readonly texts: readonly number[]
  readonly json: readonly number[]
  readonly rest: number
}

/** A query's budget, or one of its own. */
export const budgetOf = ({ settings }: { readonly settings: Limits }, query: Query): Budget =>
  query.budget ?? new Budget(settings, query.caller)

/** Bytes of an answer that take some milliseconds to be made. */
const largeAnswer = 1_000_000

/** The first records of such answers: whoever writes one lets others go on. */
export const beginsLarge = new WeakSet<object>()

/**
 * What one request may still be answered with. Parents share what they have in common, so a small
 * result can be an endless response: what counts is how often a record is written out, which
 * multiplies at every level. Relations are loaded side by side: once one was too many, none may go
 * on.
 */
export class Budget {
  #related: number
  /** Characters of text that are left. The database may have stored JSON with twice as many. */
  #text: number
  /** Bytes that the answer will have, unless most of its characters are escaped. */
  #most = 0

  constructor(
    readonly limits: Limits,
    readonly caller: Caller = new Caller(),
    /** The answer to a request for too many related records. */
    readonly tooMany: (limit: number) => Error = includeExceeded,
  ) {
    this.#related = limits.maxRelated
    this.#text = 2 * limits.maxResponse
  }

  /** Related records that are left. */
  get related(): number {
    return this.#related
  }

  /** Returns true if so much was read that work on it lets other requests go on. */
  get isLarge(): boolean {
    return this.#most > largeAnswer
  }

  /** Before a statement: another relation may have used everything up. */
  check(): void {
    if (this.#related < 0) throw this.tooMany(this.limits.maxRelated)
    if (this.#text < 0) throw responseTooLarge(this.limits.maxResponse)
  }

  /** Takes what a level places: records, and how often each is written out. */
  spendRelated(times: readonly number[]): void {
    for (const often of times) this.#related -= often
    this.check()
  }

  /** Takes records before anything is made of them. Null: each is written out once. */
  spendRows(
    rows: readonly RawRow[],
    { texts, json, rest }: Shown,
    times: readonly number[] | null = null,
  ): void {
    let text = 0
    let once = 0
    let often = 0
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? []
      const repeats = times === null ? 1 : (times[at] ?? 1)
      often += repeats
      for (const place of texts) {
        const value = row[place]
        if (typeof value !== 'string') continue
        text += value.length * repeats
        once += value.length
      }
      for (const place of json) {
        const value = row[place]
        if (typeof value === 'string') text += jsonShape(value).values * perValue * repeats
      }
    }
    // Whoever read the rows counted their text.
    this.#spend(text, rest * often, text - once)
  }

  /** Takes characters of text that no row holds. */
  spendText(text: number): void {
    this.#spend(text, 0, text)
  }

  #spend(text: number, rest: number, added: number): void {
    this.caller.holding?.addAnswer(added, rest)
    this.#text -= text
    this.#most += text * usualBytes + rest
    if (this.#text < 0) this.check()
  }

  /** 400 when the JSON of an answer is too large; counted only where it could be. */
  checkSize(answer: unknown, repeats = 1): void {
    const { maxResponse } = this.limits
    if (this.#most * repeats <= maxResponse) return
    if (jsonBytes(answer, maxResponse) > maxResponse) throw responseTooLarge(maxResponse)
  }
}

/** Characters that a value inside JSON counts besides its text, for the work it makes. */
const perValue = 32

/** Bytes of a character: no more in most alphabets. Where it may be too large, JSON is counted. */
const usualBytes = 2

function includeExceeded(limit: number): Error {
  const advice = 'use a smaller relatablePerPage or perPage, or fewer levels'
  const message = `The include parameter asks for more than ${limit} related records: ${advice}.`
  return badRequest(message, { include: [message] })
}
