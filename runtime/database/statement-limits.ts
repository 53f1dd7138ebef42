import { UnavailableError } from './unavailable.js'

/** `limits` of config/svc.ts, as far as they bound one statement of a repository. */
export interface StatementLimits {
  readonly response_bytes: number
  /** 0: as long as it takes. */
  readonly statement_ms: number
}

/** Those of connections that serve no requests. */
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

/**
 * Characters that a statement may read before no answer can hold them. What is read and not shown
 * (for hooks, say) may be as much again.
 */
export const mostText = (responseBytes: number): number => 2 * responseBytes

/** Rows that are read without a count: of the longest texts that fields take by themselves, 16 MB. */
export const fewRows = 16

/**
 * SQLite calls this with the bytes of each long text that a statement reads. A statement that does
 * so can be read at once: what else it reads is bounded by its rows.
 */
export const longText = 'svc_long_text'
