/**
 * What ids of records are, in a manifest or in a repository; text in JSON, whatever they are.
 *
 *     'integer'   the database counts them up, to 2,147,483,647
 *     'bigint'    the same with 64 bits
 *     'uuid'      the server makes them, of version 7
 *     'text'      the server makes them: ULIDs, of 26 characters
 */
export type Id = IdWord | IdOptions

export type IdWord = 'integer' | 'bigint' | 'uuid' | 'text'

/**
 * An id that the body of a new record names: a country code, what another system calls it.
 *
 * @example id: { kind: 'text', given: 'must', max: 2 }
 */
export interface IdOptions {
  readonly kind: IdWord
  /**
   * A client that creates a record names its id (`'must'`), or may do so (`'may'`: uuid and text,
   * which the server makes otherwise).
   */
  readonly given?: 'may' | 'must'
  /** At most this many characters of a text that is given; 64 unless you say. */
  readonly max?: number
}
