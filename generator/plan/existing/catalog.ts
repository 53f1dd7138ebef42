import type { Database } from '../../blueprint/types.js'
import type { Declarations } from '../../migrations/sqlite-rebuild/declarations.js'

/** The catalogue of a database, before anything is decided. */
export interface Catalog {
  readonly database: Database
  readonly tables: readonly FoundTable[]
  /** SQLite: views. */
  readonly views?: readonly string[]
  /** True if Prisma keeps its history there already. */
  readonly hasHistory: boolean
  /** SQL that makes the same tables in an empty database, and does nothing where they are. */
  readonly baseline: string
}

export interface FoundTable {
  readonly name: string
  readonly columns: readonly FoundColumn[]
  readonly primaryKey: readonly string[]
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
  readonly foreign: readonly FoundForeignKey[]
  /** The database gives a new row its key. */
  readonly isCounted: boolean
  /** SQLite: its rows have no number of their own, by which svc finds them. */
  readonly isWithoutRowid?: boolean
  /** The text of its checks, and on SQLite of its columns. */
  readonly declarations?: Declarations
  /** SQLite: triggers, and indexes of a part of the rows or of expressions, each as the statement that makes it. */
  readonly further?: readonly string[]
}

export interface FoundForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  /** The columns pointed at; empty: the primary key. */
  readonly to: readonly string[]
  readonly onDelete: 'restrict' | 'cascade' | 'setNull' | 'other'
  /** SQLite: as a table declares it. */
  readonly sql?: string
}

export interface FoundColumn {
  readonly name: string
  /** As the database writes it, in lower case: `character varying(160)`, `nvarchar(160)`. */
  readonly type: string
  readonly nullable: boolean
  /** An expression of SQL. */
  readonly default: string | null
  /** Worked out by the database, or counted up by it. */
  readonly isGenerated: boolean
  /** Words of an enum type or of `CHECK (… IN (…))`. */
  readonly options?: readonly string[]
  readonly enumType?: string
  readonly values: FoundValues
}

/** Facts about the rows, as far as the type does not tell. */
export interface FoundValues {
  readonly rows: number
  readonly hasNull: boolean
  /** A text of nothing but white space, or of no character. */
  readonly hasBlank: boolean
  /** SQLite: `integer`, `real`, `text`, `blob`. */
  readonly storage: readonly string[]
  /** The largest whole number, whatever its sign. */
  readonly largest: number | null
  /** Characters of the longest text; null: no row has one, or it was not asked. */
  readonly longest: number | null
  /** The first of the texts in order. */
  readonly example: string | null
  /** SQLite: all are written as svc writes instants. */
  readonly areInstants: boolean
  readonly areUuids: boolean
  /** One that an answer cannot show: `NaN`, `infinity`, a year of five digits; null: there is none. */
  readonly odd: string | null
}
