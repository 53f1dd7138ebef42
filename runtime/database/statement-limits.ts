import { UnavailableError } from './unavailable.js'

/** `limits` of config/svc.ts, as far as they bound one statement of a repository. */
export interface StatementLimits {
  readonly response_bytes: number
  /** 0: as long as it takes. */
  readonly statement_ms: number
}

/** Limits of connections that serve no requests. */
export const noLimits: StatementLimits = { response_bytes: Infinity, statement_ms: 0 }

/** A statement was ended after `limits.statement_ms`. A search that caused it is 400 instead. */
export class SlowStatementError extends UnavailableError {
  override name = 'SlowStatementError'

  constructor(options?: ErrorOptions) {
    super(
      'A statement was ended: it took longer than limits.statement_ms, or was cancelled.',
      options,
    )
  }
}

/** Characters one statement may read: as an answer may have, and as many for hooks, not shown. */
export const mostText = (responseBytes: number): number => 2 * responseBytes

/** So few rows are read without counting their text: the longest that fields take make 16 MB. */
export const fewRows = 16

/**
 * A function that SQLite calls, where a statement has it, with the bytes of each long text. Such a
 * statement need not be read row by row: its number of rows bounds what else it reads.
 */
export const longText = 'svc_long_text'
