/** What extensions read of a request that writes, and say in its answer. */

import type { Operation } from './operations.js'

/** A request that writes, and the headers of its answer. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** Parameters in their order, as often as they are given. */
  readonly parameters: URLSearchParams
  header(name: string): string | undefined
  /** Of the answer, whatever it will be. */
  setHeader(name: string, value: string): void
  /**
   * What some repositories understand (see `understanding`): a write for which it means nothing is
   * 400.
   */
  readonly understood: readonly PartOfRequest[]
}

/** What a request may be sent with besides its body; of `Prefer`, one preference. */
export interface PartOfRequest {
  readonly in: 'header' | 'query' | 'preference'
  readonly name: string
}

/** The same, and what it means. */
export interface RequestPart extends PartOfRequest {
  /** Writes that it means something to. */
  readonly of: readonly Operation[]
  /** What a text says, or what is wrong with it in words after `The … header` or `… parameter`. */
  read(text: string): { readonly value: unknown } | { readonly problem: string }
}
