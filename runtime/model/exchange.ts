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
  /** Requests that it means something to: those that read, and writes. */
  readonly of: readonly ('index' | 'show' | Operation)[]
  /** Reads a text; a problem is worded to follow `The … header` or `The … parameter`. */
  read(text: string): { readonly value: unknown } | { readonly problem: string }
  /** Attributes that responses show besides where it is sent: only who asks for a trash sees since when. */
  readonly shows?: readonly string[]
  /** The same as a value, of one record among others and of a mutation: only versions are told there. */
  readonly member?: PartMember
}

/** A part of a request where it is no text. */
export interface PartMember {
  /** The name of an argument. */
  readonly name: string
  /** The key that a record has it under, beside its fields. */
  keyIn(fields: { has(name: string): boolean }): string
  /** Reads a value; a problem is worded to follow `The … field`. */
  read(value: unknown): { readonly value: unknown } | { readonly problem: string }
}
