/** A write of records of one repository, from what the request asks to what is sent, as types. */

import type { Connection } from '../../database/types.js'
import type {
  PlannedWrite,
  Question,
  Row,
  StrictBodies,
  ValuedRecord,
  Within,
} from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import type { Test } from '../../model/sql-test.js'
import type { Sql } from '../../sql/sql.js'
import type { Values } from './values.js'

export type { PlannedRecord } from '../../model/entity.js'

/** A write of records of one repository, all or none. */
export interface WritePlan extends PlannedWrite {
  /** True where answers are ids alone: then nothing else is read. */
  readonly isMinimal: boolean
  /** Refuses keys of a body that nothing reads; null: they are ignored. */
  readonly strict: StrictBodies | null
  readonly statements: Statements
  /** Called once the write is committed, after the hooks of each record; absent: nothing follows. */
  readonly afterAll?: (rows: readonly Row[], operation: SavedOperation) => Promise<void>
}

export type SavedOperation = 'store' | 'update' | 'delete'

/** A record with all that its statement needs: hooks were called. */
export interface ReadyRecord extends ValuedRecord {
  readonly columns: readonly string[]
  /** The values of `columns`, as the database holds them. */
  readonly stored: Values
  /** Further assignments of an UPDATE. */
  readonly more: readonly Sql[]
  /** Parts of the transaction that belong to the record. */
  readonly parts: readonly Within[]
}

/** The records of an update or a deletion, as they are. */
export interface Target {
  /** The filter of rows that are visible and that the policy admits. */
  readonly filter: Test
  /**
   * Reads the rows by their ids, once. Throws why some may not be written: 404, 401 or 403, or what an
   * extension has against them.
   */
  rows(): Promise<ReadonlyMap<unknown, Row>>
}

/** `afterStore`, or the hook of a feature's operation. */
export type AfterHook = `after${string}`

/** Decoded rows that were written, by record. */
export type Sent = ReadonlyMap<ReadyRecord, readonly unknown[]>

/** Records that are ready: how they are sent in a transaction, and what follows. */
export interface Sending {
  readonly records: readonly ReadyRecord[]
  readonly hook: AfterHook
  /** Sends them with what belongs to each. `cause` is why they are sent in pieces; null: they are not. */
  send(connection: Connection, sender: Sender, cause: unknown): Promise<Sent>
  /** Returns the answer about a record that the database refused. */
  meaning(record: ReadyRecord, error: unknown, all: Refused): Promise<unknown>
  /** The row that after-hooks get. */
  rowOf(record: ReadyRecord, decoded: readonly unknown[]): Row
  resources(decoded: readonly (readonly unknown[])[]): Promise<readonly Resource[]>
}

/** Records that the database refused, each alone, and its error. */
export type Refused = readonly (readonly [ReadyRecord, unknown])[]

/** Records that were sent, and those that were refused. */
export interface Pieces<Record, Done> {
  readonly done: ReadonlyMap<Record, Done>
  readonly refused: readonly (readonly [Record, unknown])[]
}

/** Sends records at once, or in pieces where that was refused. */
export type Sender = <Done>(
  connection: Connection,
  records: readonly ReadyRecord[],
  send: (some: readonly ReadyRecord[]) => Promise<ReadonlyMap<ReadyRecord, Done>>,
) => Promise<Pieces<ReadyRecord, Done>>

/** The SQL of a write: of one record, or of many. */
export interface Statements {
  target(plan: WritePlan, operation: Question): Promise<Target>
  /** @param hasKey Whether the records have their keys before they are written. */
  insert(plan: WritePlan, records: readonly ReadyRecord[], hasKey: boolean): Promise<Sending>
  update(plan: WritePlan, records: readonly ReadyRecord[], target: Target): Promise<Sending>
  remove(plan: WritePlan, records: readonly ReadyRecord[], target: Target): Promise<Sending>
  /** Sends all in one transaction, in this order; throws what a refusal means to the caller. */
  transaction(plan: WritePlan, sendings: readonly Sending[]): Promise<readonly Sent[]>
}
