import type { Budget } from './budget.js'

/** Decoded rows of one repository that are being answered, and the resources made of them. */
export interface Loaded {
  readonly rows: readonly (readonly unknown[])[]
  /** The index of each column in a row. */
  readonly positions: ReadonlyMap<string, number>
  /** Returns true if the user sees a column of a row; null: they see all columns that were read. */
  readonly isSeen: ((row: readonly unknown[], column: string) => boolean) | null
  readonly resources: readonly { relationships?: Record<string, unknown> }[]
}

/** Related entries that a query asks for, and that exist for this user. */
export interface Included {
  /** Columns they read from the records, besides those shown. */
  readonly needs: readonly string[]
  /** Their keys in order, each with what it is before it is loaded: nothing, or an empty list. */
  readonly keys: readonly { readonly key: string; readonly isList: boolean }[]
  /** Throws what loading would throw, whatever the records. */
  check(): Promise<void>
  /** Fills `relationships` of the resources. */
  load(loaded: Loaded, withMeta: boolean, budget: Budget): Promise<void>
}
