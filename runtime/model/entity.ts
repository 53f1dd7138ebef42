/** Types of a repository, and of what one request may do with it. They name each other. */

import type { z } from 'zod'
import type { settingsOf } from '../config/server-config.js'
import type { Assumption } from '../database/assumption.js'
import type { Connection, Database, Dialect } from '../database/types.js'
import type { HttpError } from '../errors.js'
import type { KindName } from '../kinds/kinds.js'
import type { Sql } from '../sql/sql.js'
import type { Column, StorageKind } from './columns.js'
import type { Exchange, RequestPart } from './exchange.js'
import type { Included } from './included.js'
import type { PerName } from './inherited.js'
import type { Matching } from './matching.js'
import type { Operation } from './operations.js'
import type { AnyHooks, AnyPolicy, Question, Row } from './policy-and-hooks.js'
import type { IndexQuery, ListPart, MatchValue, ShowQuery } from './queries.js'
import type { Page, Resource } from './resource.js'
import type { SortTerm, Test } from './sql-test.js'

export type { Operation } from './operations.js'
export type { Question, Row } from './policy-and-hooks.js'

/** Settings for an operator; `config/svc.ts` explains each. */
export type Settings = Readonly<ReturnType<typeof settingsOf<StrictQueries, StrictBodies>>>

/** Says of an unknown name what there is, and what was probably meant: see query/strict-queries. */
export interface StrictQueries {
  parameter(access: Access, name: string, kind: 'list' | 'record', inBody?: boolean): Error
  key(access: Access, use: 'include' | 'sort', key: string, known: readonly string[]): Error
}

/** Problems with keys of a body that nothing reads, by key: see input/strict-bodies. */
export interface StrictBodies {
  /** @param more Returns keys that features read, beside fields. */
  ofWrite(
    record: PlannedRecord,
    more: (record: PlannedRecord) => readonly string[],
  ): ReadonlyMap<string, string[]>
  /** Counts the unknown keys of a body, for an answer that names those of other bodies. */
  count(record: PlannedRecord, more: (record: PlannedRecord) => readonly string[]): number
  ofForm(body: Write['body'], takes: readonly string[]): ReadonlyMap<string, string[]>
}

/**
 * The content of a repository file, whatever its model: `app/Repositories` has one for each
 * repository.
 */
export interface Definition<Name extends string = string> {
  readonly database: Database
  readonly settings: Settings
  /** URI key: the collection in paths, and `type` of its resources. */
  readonly key: string
  /** PascalCase singular, as policies and controllers are named: `Post`. */
  readonly name: string
  readonly table: string
  /** Names of columns in the table, where they differ from the field's. */
  readonly columnNames?: PerName<Name, string>
  /** Columns that the database fills: no INSERT names them. */
  readonly generated?: readonly Name[]
  /** PostgreSQL: columns of an enum type. */
  readonly enumTypes?: PerName<Name, string>
  /** Readable without a token (GET only). */
  readonly isPublic?: boolean
  /** The column that names a record for people. */
  readonly title?: Name
  readonly policy: AnyPolicy
  readonly hooks?: AnyHooks
  /** Every column of the table and how it is stored; `?` may be NULL. */
  readonly columns: Readonly<Record<Name, StorageKind>>
  /** Lists the attributes of a response. */
  readonly attributes: readonly Name[]
  /** Lists the fields that a request may write, with the rule that a value must pass. */
  readonly rules: PerName<Name, z.core.$ZodType>
  /** Written on store where the request leaves a column out. */
  readonly defaults?: Row
  /** Columns that are unique, alone or together, where there are several: a 422 names all taken. */
  readonly unique?: readonly (Name | readonly Name[])[]
  readonly searchable?: readonly Name[]
  readonly match?: Matching<Name>
  readonly sort?: readonly Name[]
  /** Page size of the index, 15 unless given. */
  readonly perPage?: number
  /** Records of this repository shown per parent, 15 unless given. */
  readonly relatablePerPage?: number
  /** Its relations and computed entries, as `related()` makes them. */
  readonly relations?: (entity: Entity) => Relations
  /** Features add these to reading and writing its records, in this order. */
  readonly extensions?: readonly Extension[]
}

/** A definition with its columns looked up: what every operation works with. */
export interface Entity extends Omit<Definition, 'columns' | 'relations'> {
  readonly dialect: Dialect
  readonly columns: ReadonlyMap<string, Column>
  readonly id: Column
  readonly relations: Relations | null
  readonly extensions: readonly Extension[]
}

/** Anything relations can point at: a repository. */
export interface HasEntity {
  readonly definition: Entity
}

/**
 * One request: its user, and the answers of policies so far. Each question is asked at most once.
 */
export interface AccessRequest {
  readonly user: unknown
  /** True for a write of a list of records, however many it has. */
  readonly isMany: boolean
  readonly accesses: Map<Entity, Access>
  /** What a write relies on, which is known before anything is written; absent: nothing. */
  readonly assumption?: Assumption
}

/** Says what one user may do with the records of one repository. */
export interface Access {
  readonly request: AccessRequest
  readonly entity: Entity
  /** The attributes that responses show this user. */
  readonly shown: readonly string[]
  /** Answers of the policy: conditions, booleans, or promises of them. */
  readonly answers: Map<Question, unknown>
  /** The extensions of the repository, and those of this request. */
  readonly extensions: readonly Extension[]
  /** Below a parent (`/posts/1/comments`): no other records exist. */
  readonly parent: Parent | null
  /** Values of the extensions' parameters, by name. */
  readonly parameters: ReadonlyMap<string, unknown>
  /** The request that a write came with; null where your own code calls. */
  readonly exchange: Exchange | null
  /**
   * Answers of field gates about the record that is written; null: no gate depends on the record.
   */
  readonly ofRow: RowGates | null
}

/** The answers of field gates about one record that is written. */
export interface RowGates {
  /** Fields that a body may write, and the condition of `canUpdate` that the record satisfies. */
  readonly updatable: ReadonlyMap<string, object>
  /** Fields that a body does not write: the user does not see their values, or another record gives them. */
  readonly kept: ReadonlySet<string>
}

export interface Parent {
  /** The path of a list below its parent: `posts/7/comments`. */
  readonly path?: string
  /** A condition: it holds for the records of this parent. */
  readonly condition: unknown
  /** The columns of a new record below this parent; null: none can be created here. */
  readonly columns: Row | null
}

/** The table that a condition is about, and its name in the statement. */
export interface Scope {
  readonly entity: Entity
  /** The alias of the entity's table in the statement; empty: columns are written without one. */
  readonly alias: string
  /** The file that said what is tested, for messages: a policy, or what else answers conditions. */
  readonly file: string
  /** Relations around it: names the tables inside EXISTS apart. */
  readonly depth: number
  /** Inside a relation through a pivot table: what `pivot` tests. */
  readonly pivot?: (tests: unknown) => Test
}

/** Operations use these functions of a repository's relations and computed entries. */
export interface Relations {
  /** Columns that hold another record's id: text in JSON. */
  readonly foreignColumns: ReadonlySet<string>
  /** By such a column, the repository of the record; null: the id alone does not say. */
  readonly targets: ReadonlyMap<string, (() => HasEntity) | null>
  /** By relation, the column in which a record has the key of another. */
  readonly pointers: ReadonlyMap<string, string>
  /** Names of relations, for messages. */
  readonly names: readonly string[]
  /** Every entry that clients may ask for, and its kind: `belongsTo`, `computed`, `member` … */
  readonly kinds: ReadonlyMap<string, string>
  /** Returns true if this user may ask for an entry. */
  mayInclude(access: Access, key: string): boolean
  /** Returns the SQL test of a relation; undefined: there is no relation of that name. */
  test(scope: Scope, name: string, tests: unknown): Test | undefined
  /** Reads what a query includes; 400 where it cannot be read or answered. */
  include(access: Access, query: object): Included | null
  /** Conditions a search adds: columns of related records. */
  search(access: Access, text: string): Promise<readonly unknown[]>
  /** `owner.name`, where that is declared and visible. */
  sort(access: Access, key: string, descending: boolean): Promise<SortTerm | null>
  readonly sortKeys: readonly string[]
  /** Problems by column: foreign keys that point at no record the user may see. */
  foreignErrors(
    access: Access,
    values: Row,
    connection?: Connection,
  ): Promise<ReadonlyMap<string, string[]>>
  /** Columns that the signed-in user fills on store (`filledBy: 'user'`). */
  readonly filledColumns: readonly string[]
}

/**
 * What a feature adds to reading and writing the records of a repository: the one seam of the core.
 * A member that is not there costs nothing.
 *
 * @example A feature that writes a column:
 *
 *     const signed: Extension = {
 *       write: ({ access }) => ({ values: () => ({ signed_by: userId(access.request) }) }),
 *     }
 */
export interface Extension {
  /** What requests and answers say because of it: data, which all surfaces read. */
  readonly says?: Says
  /**
   * A condition of every row that exists: of what is read, written, counted, included and pointed
   * at, of values that are taken, and of users who sign in. It holds in a policy's `some` and `none`
   * as well; `access` is null there, because a policy's condition knows no request. A promise only
   * where parameters of the request ask for more.
   */
  visible?(access: Access | null): unknown
  /** What it does when records are read. */
  readonly read?: ReadSteps
  /**
   * Answers what it does in one write: its steps may keep what they learn from one phase to the next.
   * Called once for each request, before anything else is asked; null: it does nothing.
   */
  write?(plan: PlannedWrite): WriteSteps | null
  /** Operations on one record beside those of every repository. Only soft deletes have some. */
  readonly operations?: readonly OwnOperation[]
  /** Adds to the context of hooks. */
  context?(access: Access): object
  /**
   * Returns the test that finds a text in a column, in any case; undefined: the database searches
   * by itself. Only folding stores texts for it.
   */
  containsAnyCase?(scope: Scope, column: Column, expression: Sql, text: string): Test | undefined
}

/** What requests may say to a feature, and what it says in answers. */
export interface Says {
  /** Headers, parameters and preferences that it reads; `access.parameters` holds what they say, by name. */
  readonly parts?: readonly RequestPart[]
  /** Members of `meta` beside the flags, and the column that each shows. Only versions have one. */
  readonly meta?: Readonly<Record<string, string>>
  /** Makes headers of an answer that is one record, which may have no `meta`. Only versions have one. */
  readonly headers?: (resource: Resource) => Readonly<Record<string, string>>
  /** Fields that a body writes only where a gate of the policy names them: those of power over users. */
  readonly gated?: readonly string[]
  /** Makes what a row holds of a value, by the kind of its column. Only passwords are not stored as sent. */
  readonly stores?: { readonly [Kind in KindName]?: (value: unknown) => unknown }
}

/** A write of records of one repository, as features are asked about it. */
export interface PlannedWrite {
  readonly access: Access
  readonly records: readonly PlannedRecord[]
  /** Names the place of a record in the request, for errors: see `alone` and `inList`. */
  readonly placeOf: PlaceOf
  /**
   * True: they are written along with a record of another repository, in its transaction, and no
   * others along with them.
   */
  readonly isAlong: boolean
}

/** One of the records that a request writes. */
export interface PlannedRecord {
  /** Its place in the request. */
  readonly at: number
  /** Null: it is new, or no record can have the id that is named. */
  readonly id: number | string | null
  readonly write: Write
  /** The access of this record; mostly that of the plan. */
  readonly access: Access
  /** What features do when it is written; empty until all of them were asked. */
  readonly steps: readonly WriteSteps[]
}

/** A record whose values are known; of attach, sync and detach it has none. */
export interface ValuedRecord extends PlannedRecord {
  readonly values: Row
}

/**
 * What a feature does in one write. `around` is called once for the request, and each other step for
 * every record, in this order. The phase of a step (see operations/write/pipeline) is done for all
 * records before the next one begins.
 */
export interface WriteSteps {
  /**
   * Runs the write, or does not; when `write` is done, all is committed. It is not called for records
   * that are written along with others: they have no commit of their own.
   */
  around?<Done>(write: () => Promise<Done>): Promise<Done>
  /** `check`: which of the rows that the policy admits an UPDATE or DELETE writes. */
  requires?(record: PlannedRecord): Precondition
  /** `check`: keys of a body that it reads, beside fields. */
  takes?(record: PlannedRecord): readonly string[]
  /** `check`: problems with a body, by field. */
  check?(
    record: PlannedRecord,
  ): ReadonlyMap<string, string[]> | Promise<ReadonlyMap<string, string[]>>
  /**
   * `validate`: reads what it needs of other records, and throws what the user may not do with them.
   * With `true`, a new record gets its key before it is written: `within` finds it in the record.
   */
  readOthers?(record: PlannedRecord): boolean | Promise<boolean>
  /**
   * `prepare`: columns that follow from the values of a write, after hooks were called. Those of a
   * record that is there may be SQL.
   */
  values?(record: PlannedRecord, values: Row): Row
  /**
   * `prepare`: what belongs in the transaction; null: nothing. It is asked outside of that, so that
   * hooks and policies may use the database.
   */
  within?(record: ValuedRecord): Within | null | Promise<Within | null>
  /**
   * `send`: columns by which a row is there no more, in place of DELETE; those of `values` go with
   * them. Only soft deletes keep rows.
   */
  removal?(): Row
  /** `answer`: related records that were written with the record, by relation. */
  made?(record: PlannedRecord): Promise<Readonly<Record<string, unknown>>>
}

/** What has to be true of a record that a request changes, besides the policy. */
export interface Precondition {
  /** Part of the WHERE; `true`: every record will do. */
  readonly condition: unknown
  /**
   * Says why a record is not written that the policy admits as it is now; null: it may be. Without a
   * row: why none is made in the place of a record to change.
   */
  refusal(row: Row | null): Error | null
}

/**
 * Names the place of a record in its request, or of its field: `title`, or `3.title` of the fourth
 * of many.
 */
export type PlaceOf = (at: number, field?: string) => string

/** An operation on one record that the method of the same name of the policy answers. */
export interface OwnOperation {
  readonly name: Operation & Question
  /** Its request: POST and `publish` are `POST /posts/7/publish`. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The status of its answer. */
  readonly status: number
  /** Finds the record; a record that it does not find is 404. */
  finding(access: Access): Access
  /** True for a row that was gone before: the hooks of a deletion ran then. */
  wasGone?(row: Row): boolean
  /** A flag in `meta`, and what a policy answers of it. */
  readonly flag?: { readonly name: string; readonly answer: (access: Access) => unknown }
}

/** A write of one record. */
export interface Write {
  readonly operation: Operation
  /** The record's id, as the path has it; null: the record is new. */
  readonly idText: string | null
  readonly body: Readonly<Record<string, unknown>>
}

export type WriteGates = 'canStore' | 'canUpdate'

/** Options of one call that writes. */
export interface WriteOptions {
  readonly extensions?: readonly Extension[]
  /** The request it came with, of which extensions read headers and parameters. */
  readonly exchange?: Exchange | null
  /** What the user relies on, where that is not known yet; null: nothing. */
  readonly assumption?: Assumption | null
  /** Of a call without a request: what one would say to extensions, as `access.parameters` holds it. */
  readonly parameters?: Access['parameters']
}

/** A part of the transaction of a write: see `within`. */
export interface Within {
  /** True: `write` needs all columns of the record. */
  readonly needsRow?: boolean
  /** True: an update needs the record as it was, which is locked then. Only hooks inside are told of it. */
  readonly needsBefore?: boolean
  /**
   * Records that must be there, and stay until the transaction ends: asked before `begin`. Only a
   * trash takes records along.
   */
  readonly holds?: readonly Held[]
  /** Before the statement. May run again: PostgreSQL repeats a transaction after a deadlock. */
  begin?(connection: Connection): Promise<void>
  /**
   * After the record was written, with its row as it is, or was before it was deleted; of attach,
   * sync and detach that of the parent. What it throws rolls all back. `before` is the row as it was
   * where a part of the write needs it, else null.
   */
  write(connection: Connection, row: Row, before: Row | null): Promise<void>
  /** When all is committed. */
  after?(): Promise<void>
}

/** A record that a write of another one relies on. */
export interface Held {
  readonly entity: Entity
  readonly id: number | string
  /** Makes the error for a record that is not there. */
  readonly missing: () => HttpError
}

/** What requests that read records of a repository may ask because of a feature. */
export interface ReadSteps {
  /** Parameters by which it changes what a query asks for: `fields[posts]`, `cursor`. */
  readonly asks?: QueryPart
  /** Filters of lists besides match columns: `price[gte]`. */
  readonly filter?: ListFilter
  /** Replaces the search in the repository's own columns. Only full-text has an index for it. */
  readonly search?: ListSearch
  /** Adds keys that lists may be sorted by. */
  readonly order?: ListOrder
  /**
   * Lists what this user may filter, sort or search by because of it, for `/filters` and the like.
   */
  askable?(access: Access): readonly Askable[]
}

/**
 * Parameters of one feature that change what a query asks for. They win over columns of these names,
 * of which `filter[name]` speaks.
 *
 * @example read: { asks: { names: ['fields'], of: 'both', change: (access, query, said) => … } }
 */
export interface QueryPart {
  /** `fields` stands for `fields[posts]`, too. */
  readonly names: readonly string[]
  /** Says whether requests for lists, for one record or for both have it. */
  readonly of: 'list' | 'record' | 'both'
  /**
   * The query as those that were sent change it, in their order; 400 where they cannot be read. What
   * the feature needs later stands in `asked`.
   */
  change<Query extends ShowQuery & Partial<IndexQuery>>(
    access: Access,
    query: Query,
    said: readonly MatchValue[],
  ): Query | Promise<Query>
  /** Reads a page of a list in another way than by its number; null: it does not read this one. */
  page?(access: Access, query: IndexQuery): Promise<Page> | null
}

/**
 * Filters of lists besides match columns, wherever a list is: of a request, of an included relation,
 * in GraphQL. The conditions compile, and hold, like a policy's.
 */
export interface ListFilter {
  /**
   * Whether it reads a parameter of this name, as it was sent. What this user may not see, it does
   * not know.
   */
  takes(access: Access, name: string, sent: Pick<MatchValue, 'isFilter'>): boolean
  /** Names that this user may send: what an unknown one may have been meant to be. */
  names(access: Access, inBody?: boolean): readonly string[]
  /**
   * The text of a parameter that was sent as JSON, in a body; 400 where it is wrong. Null: it is none
   * of its own, or has no other form.
   */
  textOf?(access: Access, name: string, value: unknown): string | null
  /** Keys of `asked` that other filters leave alone. */
  readonly owns?: readonly string[]
  /** Returns true if such a list goes through a whole table. */
  isScan?(asked: NonNullable<ListPart['asked']>): boolean
  /** Asked where one was sent, or the list is `asked` for something. 400 where one cannot be read. */
  conditions(
    access: Access,
    said: readonly MatchValue[],
    asked: NonNullable<ListPart['asked']>,
  ): readonly unknown[] | Promise<readonly unknown[]>
}

/** Something that lists may be asked for. Of one list and key, what several features say is one. */
export interface Askable {
  readonly list: 'matches' | 'sortables' | 'searchables' | 'filters'
  readonly key: string
  readonly kind?: string
  readonly options?: readonly string[]
  /** The match type of a column: `partial`, `between`. */
  readonly type?: string
  /** The repository whose id it is. */
  readonly repository?: string
  /** Comparisons that it takes. */
  readonly operators?: readonly string[]
  /** A label for people. */
  readonly label?: string
  readonly placeholder?: string
  readonly description?: string
}

/** A search of the repository's own columns, wherever a list is searched. */
export interface ListSearch {
  /** Returns the condition that finds a text; null: this user may search nothing. */
  condition(access: Access, text: string): unknown
  /** The order of what is found where none is asked; null: as the list is. */
  order(access: Access, text: string): SortTerm | null
}

/** Keys of `sort` that a feature answers. */
export interface ListOrder {
  readonly keys: readonly string[]
  /** Null: this user may not sort by it. */
  term(access: Access, key: string, descending: boolean): Promise<SortTerm | null>
}
