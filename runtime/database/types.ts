/** What the kernel needs of a database: run a statement, hold a transaction. */

export type Dialect = 'sqlite' | 'postgresql'

/** SQL text with the driver's own placeholders. Drivers keep texts prepared, the last used ones. */
export interface Statement {
  readonly sql: string
  /** Reads may run beside a writer. Everything else waits for the write connection. */
  readonly access: 'read' | 'write'
}

/**
 * A value a driver takes. Lists travel as one parameter: JSON text on SQLite, an array on
 * PostgreSQL.
 */
export type Parameter = string | number | bigint | null | Uint8Array | readonly (string | number)[]

/**
 * One row, in the order of the statement's columns, as the driver gives it (columns.ts decodes).
 */
export type RawRow = readonly unknown[]

export interface Connection {
  readonly dialect: Dialect
  query(statement: Statement, parameters: readonly Parameter[]): Promise<RawRow[]>
}

/** May return what to call once the statement has settled (time in the database). */
export type Observer = (statement: Statement) => (() => void) | void

export interface Database extends Connection {
  /**
   * Runs `work` in one transaction; a throw rolls it back and is thrown on. Inside, use only the
   * connection given: on SQLite the write connection is held until `work` settles, other writers
   * wait without blocking the process.
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Called for every statement sent, before it runs (statement counts, development log). Returns
   * the way to stop.
   */
  observe(listener: Observer): () => void
  /** Resolves when the database answers; used by `/ready`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * A refusal by the database that a request can cause. Drivers map their own errors to it; the
 * kernel to 422 or 409.
 */
export class ConstraintError extends Error {
  constructor(
    readonly kind: 'unique' | 'foreign' | 'notNull' | 'value',
    /** Columns of a unique constraint where the driver tells them, else empty. */
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`${kind} constraint`, options)
    this.name = 'ConstraintError'
  }
}
