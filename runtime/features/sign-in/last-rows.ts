import { LRUCache } from 'lru-cache'
import type { RawRow } from '../../database/types.js'

/** Tokens whose rows are kept, with the columns of their users. */
const mostTokens = 1_000

/** A row that was another one so often is assumed again when it has been the same as often. */
const mostMisses = 8

interface LastRow {
  readonly row: RawRow
  /** How often it was another one lately. */
  readonly misses: number
}

/** The rows of tokens as they were read the last time, by the ids of the tokens. */
export class LastRows {
  readonly #rows = new LRUCache<number, LastRow>({ max: mostTokens })

  /** @param ignored The index of a column that may change: nothing depends on it. */
  constructor(readonly ignored: number) {}

  /** Null: there is none, or it has been another one too often. */
  find(id: number): RawRow | null {
    const last = this.#rows.get(id)
    return last === undefined || last.misses > 1 ? null : last.row
  }

  /** Keeps a row, and returns true if it is what was assumed. */
  isAs(id: number, assumed: RawRow, row: RawRow | undefined): boolean {
    const isSame = row !== undefined && this.#areSame(assumed, row)
    if (row === undefined) this.#rows.delete(id)
    // Where it is not, it is read again, and is then the same.
    else this.#add(id, row, isSame ? -1 : 2)
    return isSame
  }

  note(id: number, row: RawRow): void {
    const last = this.#rows.get(id)
    this.#add(id, row, last === undefined || this.#areSame(last.row, row) ? -1 : 1)
  }

  #add(id: number, row: RawRow, change: number): void {
    const { misses = 0 } = this.#rows.get(id) ?? {}
    this.#rows.set(id, { row, misses: Math.min(mostMisses, Math.max(0, misses + change)) })
  }

  #areSame(one: RawRow, other: RawRow): boolean {
    return (
      one.length === other.length &&
      one.every((value, at) => at === this.ignored || Object.is(value, other[at]))
    )
  }
}
