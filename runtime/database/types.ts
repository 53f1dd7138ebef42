/** Repositories use a database through these types: statements and transactions. */

import type { Dialect, Parameter } from '../kinds/kind.js'
import type { Later } from '../later.js'
import type { Caller } from './caller.js'

export type { Dialect, Parameter }

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

/**
 * One row, in the order of the statement's columns, as the driver gives it.
 */
export type RawRow = readonly unknown[]

export type Query<Rows = Promise<RawRow[]>> = (
  statement: Statement,
  parameters: readonly Parameter[],
  caller?: Caller,
) => Rows

export interface Connection {
  readonly dialect: Dialect
  /**
   * `caller`: the request that reads, for which the limits of a statement hold. `soon` has the rows at
   * once where nothing needs a promise; `mayAssume`: the read of an assumption is sent with a
   * statement. Who puts another function in its place leaves them out.
   */
  query: Query & { readonly soon?: Query<Later<RawRow[]>>; readonly mayAssume?: true }
  /** Called when a part of this transaction begins, and its answer when that was undone; absent: nobody counts. */
  onPart?(): Promise<() => Promise<unknown>>
}

/** May return what to call once the statement has settled (time in the database). */
export type Observer = (statement: Statement) => (() => void) | void

/** Sets when a write is answered: when the disk has it, or before. */
export type Durability = 'full' | 'relaxed'

export interface Database extends Connection {
  /**
   * Runs `work` in one transaction; a throw rolls it back and is thrown on. Inside, use only the
   * connection given: on SQLite the write connection is held until `work` settles, other writers
   * wait without blocking the process. PostgreSQL ends one of two transactions that wait for each
   * other: its `work` is run again, up to three times.
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Runs what follows a write when the transaction around it is committed; absent: there is none. */
  committed?(work: () => Promise<void>): Promise<void>
  /** Runs what stays written when the transaction around it is rolled back; absent: there is none. */
  lasting?<T>(work: () => Promise<T>): Promise<T>
  /** Called before each statement that is sent (to count or log it). Returns the way to stop. */
  observe(listener: Observer): () => void
  /** Returns true where a snapshot has a text, and equal ones see equal rows; absent: there are none. */
  hasSnapshots?(): boolean
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
    options?: ErrorOptions & { readonly check?: string | undefined },
  ) {
    super(`${kind} constraint`, options)
    this.name = 'ConstraintError'
    this.check = options?.check
  }

  /** The name of a CHECK or, where SQLite has none for it, its condition. */
  readonly check: string | undefined
}
