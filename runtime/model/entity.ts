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
  ofWrite(access: Access, write: Write): ReadonlyMap<string, string[]>
  /** Counts the unknown keys of a body, for an answer that names those of other bodies. */
  count(access: Access, write: Write): number
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
   * Answers of field gates about the record that is updated; null: no gate depends on the record.
   */
  readonly ofRow: RowGates | null
}

/** The answers of field gates about one record that is updated. */
export interface RowGates {
  /** Fields that a body may write, and the condition of `canUpdate` that the record satisfies. */
  readonly updatable: ReadonlyMap<string, object>
  /** Fields that the write leaves alone, because the user does not see their values. */
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
 * A write asks, in this order:
 *
 *     reads         headers and parameters of its request
 *     ofWrites      who is asked all that follows
 *     around        the whole of it
 *     admits        which rows it writes, besides the policy; where that is none, `refusal` says why
 *     mayWrite      which fields of the body it takes
 *     check         what is wrong with the body
 *     prepare       what it reads before hooks are called
 *     columns       what follows from the values, after hooks were called
 *     within        what belongs in its transaction
 *     assignments   what an UPDATE sets besides the values
 *     after         of `within`, when all is committed
 *     made          what the answer shows besides
 *     headers       of the answer
 */
export interface Extension {
  /**
   * A condition of every row that exists: of what is read, written, counted, included and pointed
   * at, of values that are taken, and of users who sign in. It holds in a policy's `some` and `none`
   * as well; `access` is null there, because a policy's condition knows no request. A promise only
   * where parameters of the request ask for more.
   */
  visible?(access: Access | null): unknown
  /** Parameters of requests that it reads; `access.parameters` holds what they say. */
  readonly parameters?: readonly QueryParameter[]
  /** Parameters by which it changes what a query asks for: `fields[posts]`, `cursor`. */
  readonly asks?: QueryPart
  /** Filters of lists besides match columns: `price[gte]`. */
  readonly filter?: ListFilter
  /** Reads a page of a list in another way than by its number; null: it does not read this one. */
  page?(access: Access, query: IndexQuery): Promise<Page> | null
  /** Replaces the search in the repository's own columns. */
  readonly search?: ListSearch
  /** Adds keys that lists may be sorted by. */
  readonly order?: ListOrder
  /**
   * Lists what this user may filter, sort or search by because of it, for `/filters` and the like.
   */
  askable?(access: Access): readonly Askable[]
  /** Attributes that responses show besides, by what the parameters say. */
  shows?(access: Access): readonly string[]
  /**
   * Headers and parameters of requests that write; `understanding` of http/understanding lets them
   * pass.
   */
  readonly reads?: readonly RequestPart[]
  /** Adds operations on one record. */
  readonly operations?: readonly OwnOperation[]
  /** Members of `meta` beside the flags, and the column that each shows. */
  readonly meta?: Readonly<Record<string, string>>
  /** Flags in `meta`, and what a policy answers of each. */
  flags?(access: Access): Readonly<Record<string, unknown>>
  /** Headers of an answer with this one record, which may have no `meta`. */
  headers?(resource: Resource): Readonly<Record<string, string>>
  /**
   * Returns the test that finds a text in a column, in any case; undefined: the database searches
   * by itself.
   */
  containsAnyCase?(scope: Scope, column: Column, expression: Sql, text: string): Test | undefined
  /** Makes what a row holds of a value, by the kind of its column. */
  readonly stored?: { readonly [Kind in KindName]?: (value: unknown) => unknown }
  /** False: a body does not write this field, whatever the gate of the policy says. */
  mayWrite?(access: Access, gates: WriteGates, name: string): boolean
  /** Problems with a body, by field. */
  check?(access: Access, write: Write): Promise<ReadonlyMap<string, string[]>>
  /**
   * Which of the records that the policy admits an UPDATE or DELETE writes: a condition, part of its
   * WHERE.
   */
  admits?(access: Access, write: Write): unknown
  /**
   * For one request: an extension for each of the records that it writes, which stands in the place of
   * this one and may keep what it learns from one call to the next. Empty: there is no need.
   */
  ofWrites?(access: Access, writes: readonly Write[], placeOf: PlaceOf): readonly Extension[]
  /** Keys of a body that it reads, beside fields. */
  takes?(access: Access, write: Write): readonly string[]
  /** Related records that were written with the record, for the answer. */
  made?(): Promise<Readonly<Record<string, unknown>>>
  /** Why it was not written, of a record that the policy admits as it is now. */
  refusal?(access: Access, write: Write, row: Row): Error | null
  /** Why no record is made where there is none to change: the request names one as it is. */
  refusalOfNew?(access: Access): HttpError | null
  /** A key that each of several records may have beside its fields: its version, say. */
  readonly inRows?: (entity: Entity) => RowMember
  /** An option of calls in code; a mutation has an argument of that name. */
  readonly inCalls?: { readonly name: string; readonly means: (value: unknown) => Extension }
  /** Runs a write, or does not. */
  around?<Done>(access: Access, write: Write, work: () => Promise<Done>): Promise<Done>
  /**
   * Reads what it needs of other records, and throws what the user may not do with them. With
   * `true`, a new record gets its key before it is written: `within` finds it in the change.
   */
  prepare?(access: Access, write: Write): Promise<boolean>
  /** Columns that follow from the values a write has. */
  columns?(access: Access, values: Row, write: Write): Row
  /** SQL assignments that go with an UPDATE of these columns. */
  assignments?(
    columns: readonly string[],
    values: readonly unknown[],
    entity: Entity,
  ): readonly Sql[]
  /** Asked outside the transaction: hooks and policies may use the database. Null: nothing. */
  within?(access: Access, change: Change): Within | null | Promise<Within | null>
  /** Adds to the context of hooks. */
  context?(access: Access): object
  /** Returns true for a row that `remove` let be there no more. */
  isAbsent?(row: Row): boolean
  /**
   * Assignments that stand in place of DELETE, by which a row is there no more; null: DELETE. Those
   * of `assignments` go with them.
   */
  remove?(access: Access): Sql | null
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
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  /** The status of its answer. */
  readonly status: number
  /** Finds the record; a record that it does not find is 404. */
  finding(access: Access): Access
}

/** A write of one record. */
export interface Write {
  readonly operation: Operation
  /** The record's id, as the path has it; null: the record is new. */
  readonly idText: string | null
  readonly body: Readonly<Record<string, unknown>>
}

export type WriteGates = 'canStore' | 'canUpdate'

/** A write whose values are known. */
export interface Change extends Pick<Write, 'operation'> {
  /** Null: the database gives the key of a new record. */
  readonly id: number | string | null
  /** The columns to write; of attach, sync and detach: none. */
  readonly values: Row
}

/** Options of one call that writes. */
export interface WriteOptions {
  readonly extensions?: readonly Extension[]
  /** The request it came with, of which extensions read headers and parameters. */
  readonly exchange?: Exchange | null
  /** What the user relies on, where that is not known yet; null: nothing. */
  readonly assumption?: Assumption | null
}

/** Said of one record among others, where a request that changes one alone has a part for it. */
export interface RowMember {
  readonly name: string
  /** The part that it stands for: `access.parameters` holds what it says under that name. */
  readonly part: string
  /** Reads a value; a problem is worded to follow `The … field`. */
  read(value: unknown): { readonly value: unknown } | { readonly problem: string }
  /** The error about records without it, where it is required. */
  readonly missing?: string
}

/** A part of the transaction of a write. */
export interface Within {
  /** True: `write` needs all columns of the record. */
  readonly needsRow?: boolean
  /** True: an update needs the record as it was. It is locked then. */
  readonly needsBefore?: boolean
  /** Records that must be there, and stay until the transaction ends: asked before `begin`. */
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

/** A parameter of requests. */
export interface QueryParameter {
  readonly name: string
  /** Says whether requests for lists, for one record or for both have it. */
  readonly of: 'list' | 'record' | 'both'
  /** Reads a text; a problem is worded to follow `The … parameter`. */
  read(text: string): { readonly value: unknown } | { readonly problem: string }
}

/**
 * Parameters of one feature that change what a query asks for. They win over columns of these names,
 * of which `filter[name]` speaks.
 *
 * @example asks: { names: ['fields'], of: 'both', change: (access, query, said) => … }
 */
export interface QueryPart {
  /** `fields` stands for `fields[posts]`, too. */
  readonly names: readonly string[]
  /** Says whether requests for lists, for one record or for both have it. */
  readonly of: QueryParameter['of']
  /**
   * The query as those that were sent change it, in their order; 400 where they cannot be read. What
   * the feature needs later stands in `asked`.
   */
  change<Query extends ShowQuery & Partial<IndexQuery>>(
    access: Access,
    query: Query,
    said: readonly MatchValue[],
  ): Query | Promise<Query>
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
