/** What repositories need of a database: statements, transactions, their kinds of values. */

import type { Caller } from './caller.js'

export type Dialect = 'sqlite' | 'postgresql'

/** SQL text with the driver's own placeholders. Drivers keep texts prepared, the last used ones. */
export interface Statement {
  readonly sql: string
  /** Reads may run beside a writer. Everything else waits for the write connection. */
  readonly access: 'read' | 'write'
  /** Rows it has at most, where that is known. */
  readonly most?: number
}

/** For texts of libraries, which do not say whether they read. */
export const isSelect = (sql: string): boolean => /^\s*select\b/i.test(sql)

/** A value a driver takes. A list is one parameter: JSON text on SQLite, else an array. */
export type Parameter = string | number | bigint | null | Uint8Array | readonly (string | number)[]

/**
 * One row, in the order of the statement's columns, as the driver gives it (codecs decode it).
 */
export type RawRow = readonly unknown[]

/**
 * How a column is stored, and how its value travels. The middle column is the value everywhere in
 * JavaScript: rows of policies and hooks, conditions, validated input.
 *
 *   kind          value                         SQLite                           PostgreSQL
 *   integer       number                        INTEGER                          integer
 *   float         number                        REAL                             double precision
 *   decimal(p,s)  '12.50', exactly s digits     12.5, a number (p up to 15)      numeric(p,s)
 *   boolean       true, false                   0, 1                             boolean
 *   text          string                        TEXT                             text
 *   password      string (a hash)               TEXT                             text
 *   uuid          string, lower case            TEXT                             uuid
 *   date          '2026-02-03'                  '2026-02-03T00:00:00.000+00:00'  date
 *   dateTime      '2026-02-03T04:05:06.789Z'    '2026-02-03T04:05:06.789+00:00'  timestamptz(3)
 *   json          parsed                        JSON text                        jsonb
 */
export type ColumnKind =
  | 'integer'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'text'
  | 'password'
  | 'uuid'
  | 'date'
  | 'dateTime'
  | 'json'

/** From the driver's value to ours. NULL never reaches it. */
export type Decode = (stored: unknown) => unknown

/** From our value to the driver's. NULL never reaches it. */
export type Encode = (value: unknown) => Parameter

/** How one database stores each kind of column; null where a value travels as it is. */
export interface Codecs {
  /** `scale` is the digits after the point of a decimal. */
  readonly decoder: (kind: ColumnKind, scale: number) => Decode | null
  readonly encoder: (kind: ColumnKind) => Encode | null
}

export interface Connection {
  readonly dialect: Dialect
  readonly codecs: Codecs
  /** `caller`: the request that reads, for which the limits of a statement hold. */
  query(statement: Statement, parameters: readonly Parameter[], caller?: Caller): Promise<RawRow[]>
}

/** May return what to call once the statement has settled (time in the database). */
export type Observer = (statement: Statement) => (() => void) | void

export interface Database extends Connection {
  /**
   * Runs `work` in one transaction; a throw rolls it back and is thrown on. Inside, use only the
   * connection given: on SQLite the write connection is held until `work` settles, other writers
   * wait without blocking the process. PostgreSQL ends one of two transactions that wait for each
   * other: its `work` is run again, up to three times.
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Called before each statement that is sent (to count or log it). Returns the way to stop. */
  observe(listener: Observer): () => void
  /** Resolves when the database answers; used by `/ready`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * An error of the database that values of a request can cause. Drivers map their own errors to it;
 * repositories map it to 422 or 409.
 */
export class ConstraintError extends Error {
  constructor(
    readonly kind: 'unique' | 'foreign' | 'notNull' | 'value',
    /** Columns of a unique constraint where the driver names them, else empty. */
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`${kind} constraint`, options)
    this.name = 'ConstraintError'
  }
}
