/** What a repository is, and what one request may do with it: types that name each other. */

import type { z } from 'zod'
import type { settingsOf } from '../config/server-config.js'
import type { Connection, Database, Dialect } from '../database/types.js'
import type { Sql } from '../sql/sql.js'
import type { Column, StorageKind } from './columns.js'
import type { Included } from './included.js'
import type { PerName } from './inherited.js'
import type { Matching } from './matching.js'
import type { AnyHooks, AnyPolicy, Question, Row } from './policy-and-hooks.js'
import type { SortTerm, Test } from './sql-test.js'

export type { Question, Row } from './policy-and-hooks.js'

/** What an operator tunes; `config/svc.ts` says what each is. */
export type Settings = Readonly<ReturnType<typeof settingsOf<StrictQueries>>>

/** Says of an unknown name what there is, and what was probably meant: see query/strict-queries. */
export interface StrictQueries {
  parameter(access: Access, name: string, kind: 'list' | 'record'): Error
  key(access: Access, use: 'include' | 'sort', key: string, known: readonly string[]): Error
}

/** What a repository file says, whatever its model: `app/Repositories` holds one each. */
export interface Definition<Name extends string = string> {
  readonly database: Database
  readonly settings: Settings
  /** URI key: the collection in paths, and `type` of its resources. */
  readonly key: string
  /** PascalCase singular, as policies and controllers are named: `Post`. */
  readonly name: string
  readonly table: string
  /** What the table calls columns whose names there are others. */
  readonly columnNames?: PerName<Name, string>
  /** Makes the keys of new records (`newUuid`); without, the database counts up. */
  readonly newId?: () => string
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
  /** What a response shows. */
  readonly attributes: readonly Name[]
  /** What a request may write, and the rule a value must pass. */
  readonly rules: PerName<Name, z.core.$ZodType>
  /** Written on store where the request leaves a column out. */
  readonly defaults?: Row
  readonly unique?: UniqueKeys<Name>
  readonly searchable?: readonly Name[]
  readonly match?: Matching<Name>
  readonly sort?: readonly Name[]
  /** Page size of the index, 15 unless given. */
  readonly perPage?: number
  /** Records of this repository shown per parent, 15 unless given. */
  readonly relatablePerPage?: number
  /** Columns of kind `password` are stored as what this makes of them. */
  readonly hashPassword?: (text: string) => Promise<string>
  /** Its relations and computed entries, as `related()` makes them. */
  readonly relations?: (entity: Entity) => Relations
  /** Columns that are searched without case and accents: `.folded()` in the manifest. */
  readonly folded?: Folding
  /** Where its records sign in: what holds of e-mails and passwords. */
  readonly credentials?: Credentials
}

/** Columns that are unique, alone or together, where there are several: a 422 names all taken. */
export interface UniqueKeys<Name extends string = string> {
  readonly keys: readonly (Name | readonly Name[])[]
  /** Those that `values` write to, besides the one named, that another row has. */
  taken(
    entity: Entity,
    values: Row,
    id: number | string | null,
    named: readonly string[],
  ): Promise<readonly (readonly string[])[]>
}

/** A definition with its columns looked up: what every operation works with. */
export interface Entity extends Omit<Definition, 'columns' | 'relations'> {
  readonly dialect: Dialect
  readonly columns: ReadonlyMap<string, Column>
  readonly id: Column
  readonly relations: Relations | null
}

/** Anything relations can point at: a repository. */
export interface HasEntity {
  readonly definition: Entity
}

/** One request: who asks, and what policies have answered so far. Each is asked at most once. */
export interface AccessRequest {
  readonly user: unknown
  readonly accesses: Map<Entity, Access>
}

/** What one user may do with the records of one repository. */
export interface Access {
  readonly request: AccessRequest
  readonly entity: Entity
  /** The attributes that responses show this user. */
  readonly shown: readonly string[]
  /** Answers of the policy: conditions, booleans, or promises of them. */
  readonly answers: Map<Question, unknown>
  /** Below a parent (`/posts/1/comments`): no other records exist. */
  readonly parent: Parent | null
}

export interface Parent {
  /** Which records are its own. */
  readonly condition: unknown
  /** What a new one of them holds; null: none can be made here. */
  readonly columns: Row | null
}

/** Where a condition stands. */
export interface Scope {
  readonly entity: Entity
  /** What the statement calls the entity's table; empty: columns stand without it. */
  readonly alias: string
  /** Repository whose policy answered, for messages. */
  readonly policy: string
  /** Relations around it: names the tables inside EXISTS apart. */
  readonly depth: number
  /** Inside a relation through a pivot table: what `pivot` tests. */
  readonly pivot?: (tests: unknown) => Test
}

/** Text that is stored a second time without case and accents. */
export interface Folding {
  /** A column, and the one that holds it folded. */
  readonly columns: Readonly<Record<string, string | undefined>>
  /** What these columns hold beside the values of a write. */
  stored(values: Row): Row
  /** Whether a column holds a text, folded. */
  test(scope: Scope, column: Column, expression: Sql, text: string): Test
}

/** What operations ask of the relations and computed entries of a repository. */
export interface Relations {
  /** Columns that hold another record's id: text in JSON. */
  readonly foreignColumns: ReadonlySet<string>
  /** Names of relations, for messages. */
  readonly names: readonly string[]
  /** Every entry that clients may ask for, and its kind: `belongsTo`, `computed`, `member` … */
  readonly kinds: ReadonlyMap<string, string>
  /** Whether this user may ask for an entry. */
  mayInclude(access: Access, key: string): boolean
  /** What a condition tests of a relation; undefined: there is none of that name. */
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

/** What writes ask where records sign in with `email` and `password`. */
export interface Credentials {
  /** Whether a body may write a field, besides what the gate says. */
  mayWrite(access: Access, gates: 'canStore' | 'canUpdate', name: string): boolean
  /** Problems by field with a password that a body sets; `id` null: of a new record. */
  inputErrors(
    access: Access,
    input: Row,
    id: number | string | null,
  ): Promise<ReadonlyMap<string, string[]>>
  /** Runs a write of a body; one that asks for an e-mail may be an attempt too many: 429. */
  attempt<Done>(
    access: Access,
    input: Row,
    idText: string | null,
    work: () => Promise<Done>,
  ): Promise<Done>
  /** SQL assignments that go with an UPDATE of these columns. */
  assignments(columns: readonly string[], values: readonly unknown[]): readonly Sql[]
  /** What belongs to the write of a new password, in its transaction. */
  onNewPassword(connection: Connection, id: number | string): Promise<void>
}
