import type { z } from 'zod'
import type { Database } from '../database/types.js'
import type { StorageKind } from './columns.js'
import type { Credentials } from '../features/sign-in/credential-fields.js'
import type { PerName, Values } from './inherited.js'
import type { AnyModel, Hooks, Policy } from '../policy/policy-types.js'
import type { RelationEntry } from '../features/relations/relations.js'
import type { AnyRepository } from '../operations/repository.js'

/** What an operator tunes, from `config/svc.ts`. */
export interface Settings {
  /** Largest page of an index or a related collection; larger requests get this many. */
  readonly maxPerPage: number
  /** Deepest `include` path; deeper is 400. */
  readonly maxIncludeDepth: number
  /** Related records that one response may write out; more is 400. */
  readonly maxRelated: number
  /** Undeclared include, related and sort keys: ignored, or (true) 400 with the keys that exist. */
  readonly strictQueries: boolean
  /** Requests need a token, but for the reading of public repositories. */
  readonly requiresToken?: boolean
  /** Show `meta` of related resources on index requests too. */
  readonly relatedMetaOnIndex: boolean
  /** Development: told which rule refused a request or emptied a list. */
  readonly explain?: ((message: string) => void) | undefined
}

export type MatchType =
  | 'text'
  | 'partial'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'datetime'
  | 'between'
  | 'array'

interface Common {
  readonly database: Database
  readonly settings: Settings
  /** URI key: the collection in paths, and `type` of its resources. */
  readonly key: string
  /** PascalCase singular: `Post`, as in `app/Policies/PostPolicy.ts`. */
  readonly name: string
  readonly table: string
  /** Readable without a token (GET only). */
  readonly isPublic?: boolean
  readonly relations: Readonly<Record<string, RelationEntry>>
  /** Page size of the index, 15 unless given. */
  readonly perPage?: number
  /** Records of this repository shown per parent, 15 unless given. */
  readonly relatablePerPage?: number
  /** Columns of kind `password` are stored as what this makes of them. */
  readonly hashPassword?: (text: string) => Promise<string>
  /** Its records sign in: what a new e-mail or password of theirs means. */
  readonly credentials?: Credentials
}

type ColumnOf<Model extends AnyModel> = keyof Model['row'] & string

/** Everything the kernel must know of one repository; `app/Repositories` holds one each. */
export interface DefinitionOf<Model extends AnyModel> extends Common {
  /** The column that names a record for people. */
  readonly title?: ColumnOf<Model>
  readonly policy: Policy<Model, never>
  readonly hooks?: Hooks<Model, never>
  /** Every column of the table and how it is stored; `?` may be NULL. */
  readonly columns: Readonly<Record<ColumnOf<Model>, StorageKind>>
  /** What a response shows. */
  readonly attributes: readonly ColumnOf<Model>[]
  /** What a request may write, and the rule a value must pass. */
  readonly rules: PerName<ColumnOf<Model>, z.ZodType>
  /** Written on store where the request leaves a column out. */
  readonly defaults?: Values<Model['row']>
  /** Unique columns, where there are several: a write is told at once which of them are taken. */
  readonly unique?: readonly ColumnOf<Model>[]
  readonly searchable?: readonly ColumnOf<Model>[]
  /** Columns that search reads without case and accents, and the column that holds them so. */
  readonly folded?: PerName<ColumnOf<Model>, ColumnOf<Model>>
  readonly match?: PerName<ColumnOf<Model>, MatchType>
  readonly sort?: readonly ColumnOf<Model>[]
  /**
   * Foreign columns without a belongsTo entry: their repository, or null for the id of a morph.
   * Foreign columns are text in JSON, and what a request writes into one must be a row the user may
   * see.
   */
  readonly references?: PerName<ColumnOf<Model>, (() => AnyRepository) | null>
}

type Names = readonly string[]

/** A definition as the kernel reads it, whatever its model. */
export interface Definition extends Common {
  readonly title?: string
  readonly policy: AnyPolicy
  readonly hooks?: AnyHooks
  readonly columns: Readonly<Record<string, StorageKind>>
  readonly attributes: Names
  readonly rules: Readonly<Record<string, z.ZodType | undefined>>
  readonly defaults?: Readonly<Record<string, unknown>>
  readonly unique?: Names
  readonly searchable?: Names
  readonly folded?: Readonly<Record<string, string | undefined>>
  readonly match?: Readonly<Record<string, MatchType | undefined>>
  readonly sort?: Names
  readonly references?: Readonly<Record<string, (() => AnyRepository) | null | undefined>>
}

type Gates = Readonly<Record<string, ((user: unknown) => unknown) | undefined>>

type PivotGate = (user: unknown, pivot: Row) => unknown

type PivotGates = Readonly<Record<string, PivotGate | { readonly __invoke: PivotGate } | undefined>>

/**
 * A policy as the kernel calls it. Answers are not trusted: anything but true and conditions
 * refuses.
 */
export interface AnyPolicy {
  readonly show?: (user: unknown) => unknown
  readonly store?: (user: unknown) => unknown
  readonly update?: (user: unknown) => unknown
  readonly delete?: (user: unknown) => unknown
  readonly canSee?: Gates
  readonly canStore?: Gates
  readonly canUpdate?: Gates
  readonly canAttach?: PivotGates
  readonly canDetach?: PivotGates
  readonly canSync?: PivotGates
}

export type Row = Record<string, unknown>

interface AnyContext {
  readonly user: unknown
}

type Run = (context: AnyContext, subject: unknown) => unknown

type Replace = (request: AnyContext, repository: AnyRepository, row: Row) => unknown

type Callbacks = Readonly<Record<string, Replace | { readonly __invoke: Replace } | undefined>>

/** Hooks as the kernel calls them. */
export interface AnyHooks {
  readonly computed?: Readonly<Record<string, Run | { readonly __invoke: Run } | undefined>>
  readonly fill?: Readonly<
    Record<string, ((context: AnyContext, values: Row) => unknown) | undefined>
  >
  readonly beforeStore?: (context: AnyContext, values: Row) => unknown
  readonly afterStore?: (context: AnyContext, row: Row) => unknown
  readonly beforeUpdate?: (context: AnyContext, row: Row, values: Row) => unknown
  readonly afterUpdate?: (context: AnyContext, row: Row) => unknown
  readonly beforeDelete?: (context: AnyContext, row: Row) => unknown
  readonly afterDelete?: (context: AnyContext, row: Row) => unknown
  readonly attachCallback?: Callbacks
  readonly detachCallback?: Callbacks
}
