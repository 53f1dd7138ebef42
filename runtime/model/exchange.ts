/** Extensions read a request that writes by these types, and add to its answer. */

import type { Operation } from './operations.js'

/** A request that writes, and the headers of its answer. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** Parameters in their order, as often as they are given. */
  readonly parameters: URLSearchParams
  header(name: string): string | undefined
  /** Sets a header of the answer, whatever its status. */
  setHeader(name: string, value: string): void
  /**
   * What some repositories understand (see `understanding`): a write for which it means nothing is
   * 400.
   */
  readonly understood: readonly PartOfRequest[]
}

/** A header, a query parameter, or one preference of `Prefer`. */
export interface PartOfRequest {
  readonly in: 'header' | 'query' | 'preference'
  readonly name: string
}

/** A part of a request, and its meaning. */
export interface RequestPart extends PartOfRequest {
  /** Writes that it means something to. */
  readonly of: readonly Operation[]
  /** Reads a text; a problem is worded to follow `The … header` or `The … parameter`. */
  read(text: string): { readonly value: unknown } | { readonly problem: string }
}
