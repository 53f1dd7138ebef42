/**
 * The blueprint: what a manifest means once it is checked. Every name is decided, every inverse found, every guess
 * resolved, and the whole is JSON-safe, so plans, tests and later tools read the same facts.
 */

import type { MatchType } from '../kinds/kind.js'
import type { FieldKind, KeyKind } from '../kinds/kinds.js'
import type { JsonValue } from '../manifest/field-types.js'
import type { TextRule } from '../manifest/field.js'

export type Database = 'sqlite' | 'postgresql'

export type { FieldKind, KeyKind }

export type Json = JsonValue

export interface Blueprint {
  readonly database: Database
  /** URI key of the repository whose rows sign in; null when the manifest has none. */
  readonly auth: string | null
  /** Relations of the user that are loaded with the token (`auth.user_with`). */
  readonly userWith?: readonly string[]
  /**
   * The features' parts of the manifest, by their names; absent: the project does not use the
   * feature.
   */
  readonly features: Readonly<Record<string, Json>>
  /** Tables of features. */
  readonly tables: readonly FeatureTable[]
  /** In manifest order. */
  readonly entities: readonly Entity[]
  /** Tables of many-to-many relations, each once, however many sides declare it. Sorted by table. */
  readonly pivots: readonly Pivot[]
}

/** A table that the server needs for itself, and no repository shows. */
export interface FeatureTable {
  readonly name: string
  /** Prisma model, PascalCase. */
  readonly model: string
  readonly columns: readonly Column[]
  /**
   * The name of its rows in Prisma's client, on the record that they point at; absent: the name of
   * the table.
   */
  readonly rowsAs?: string
}

export interface Entity {
  /** URI key, e.g. `blog-posts`. */
  readonly key: string
  /** PascalCase singular, e.g. `BlogPost`: the row type, Prisma model, and prefix of emitted files. */
  readonly name: string
  /** camelCase singular, safe as a variable, e.g. `blogPost`. */
  readonly variable: string
  /** Human singular and plural, lower case: `blog post`, `blog posts`. */
  readonly singular: string
  readonly plural: string
  /** Database table, snake_case plural, e.g. `blog_posts`. */
  readonly table: string
  /** Its table was there before: it has the indexes that the manifest names, and no others. */
  readonly isExisting?: true
  /** Manifest file with forward slashes, relative to the project, e.g. `manifest/posts.ts`. */
  readonly source: string
  readonly id: KeyKind
  /** The column that names a record for people, or null. */
  readonly title: string | null
  /** Readable without a token (GET only). */
  readonly isPublic: boolean
  /** Every column of the table in order: id, fields, foreign keys, morph columns, created_at, updated_at. */
  readonly columns: readonly Column[]
  /** Stored relations in declaration order; computed and member entries are below. */
  readonly relations: readonly Relation[]
  /** The other sides of morphOne and morphMany; absent: none. */
  readonly morphs?: readonly MorphTo[]
  readonly computed: readonly Computed[]
  readonly members: readonly Member[]
  /** Own columns. Columns searched through a BelongsTo are on the relation. */
  readonly searchable: readonly string[]
  readonly match: readonly Match[]
  readonly sort: readonly string[]
  /** Keys that features add to `sort`: `comments.count`. Absent: none. */
  readonly otherSort?: readonly string[]
  /** Columns whose values no two records have together, and columns that one index spans; absent: none. */
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
  readonly perPage: number
  /** Page size of this repository as a related collection (spec 8). */
  readonly relatablePerPage: number
  /** `app/Hooks/<Name>Hooks.ts` exists: something computed, or `hooks: true`. */
  readonly hasHooks: boolean
  readonly description?: string
  /** The URI key it had before. */
  readonly renamedFrom?: string
  /** The access that its policy gives when svc writes it; absent: none. */
  readonly firstPolicy?: FirstPolicy
  /** Objects that the database keeps beside its table for features; absent: none. */
  readonly kept?: readonly Kept[]
}

/** Objects that the database keeps beside a repository's table. */
export interface Kept {
  /** Comments above columns of Prisma's schema, which migrations read. */
  readonly marks: Readonly<Record<string, string>>
  /** Columns that only the database fills. */
  readonly columns: readonly KeptColumn[]
}

/** A column whose type Prisma's client has no values of. */
export interface KeptColumn {
  readonly name: string
  /** PostgreSQL's: `tsvector`. */
  readonly type: string
  readonly index?: { readonly name: string; readonly type: 'Gin' }
}

export interface FirstPolicy {
  readonly opens: 'owner' | 'signed-in' | 'public-read'
  /**
   * The way from its rows to the id of their user: relations, then a column; null: to nobody, or to
   * several.
   */
  readonly owner: readonly string[] | null
}

export interface Column {
  readonly name: string
  readonly role: 'id' | 'field' | 'foreign' | 'morphType' | 'morphId' | 'timestamp'
  readonly kind: FieldKind
  readonly nullable: boolean
  readonly unique: boolean
  /** Wants an index of its own (not for unique columns and keys): declared, or used by match, sort or a relation. */
  readonly indexed: boolean
  /** Absent: no default. `null` cannot be declared: a nullable column has it anyway. */
  readonly default?: Json
  /** Never in a response. */
  readonly hidden: boolean
  /** Never taken from a request body. Ids, timestamps and filled foreign keys are. */
  readonly readonly: boolean
  /** Characters for text, value for numbers, items for lists. */
  readonly min?: number
  readonly max?: number
  /** No request leaves its text empty or blank. */
  readonly notBlank?: true
  /** Further rules of its text, and a value that passes. */
  readonly rules?: readonly TextRule[]
  readonly sample?: string
  /** The words that a value is one of, or a list of some. */
  readonly options?: readonly string[]
  readonly precision?: number
  readonly scale?: number
  readonly description?: string
  /** Its name for people, and what an empty input of a form shows. */
  readonly label?: string
  readonly placeholder?: string
  /** The name in the database, where it differs. */
  readonly stored?: string
  /** Ids: the body of a new record names it, or may. */
  readonly given?: 'may' | 'must'
  /** The database fills it; no INSERT names it. */
  readonly generated?: true
  /** PostgreSQL's type of a select, where it is an enum. */
  readonly enumType?: string
  /** Rows with a value in it are there no more: what is unique is so among the others. */
  readonly absence?: true
  /** The name it had before. */
  readonly renamedFrom?: string
  /** The column that holds its text without case and accents, for `search`. */
  readonly folded?: string
  /** Foreign columns: the repository pointed at. */
  readonly references?: { readonly entity: string; readonly onDelete: OnDelete }
  /** Type columns of a morph: the repositories pointed at, by URI key, and what deleting one of their records does. */
  readonly owners?: readonly { readonly entity: string; readonly onDelete: OnDelete }[]
}

export type OnDelete = 'restrict' | 'cascade' | 'setNull'

export type RelationKind =
  | 'belongsTo'
  | 'morphOne'
  | 'hasOne'
  | 'hasMany'
  | 'morphMany'
  | 'belongsToMany'
  | 'morphToMany'

export interface Relation {
  /** Clients ask for this key, and it is the key under `relationships`. */
  readonly key: string
  /**
   * The model relationship it reads (spec 2.5, long form); the Prisma field. Equals `key` in the short form. Two
   * entries may read the same one under different keys; they then agree in everything that is stored.
   */
  readonly name: string
  readonly kind: RelationKind
  /** URI key of the repository that serializes the related records. */
  readonly target: string
  /**
   * belongsTo: the column of this table. hasOne, hasMany, morphOne, morphMany: the column of the target's table.
   * belongsToMany, morphToMany: the column of the pivot table that points at this record.
   */
  readonly foreignKey: string
  /** morphOne, morphMany: the target's type column. morphToMany: the pivot's type column. Its value is this entity's key. */
  readonly morphType: string | null
  /** Many-to-many: the pivot table, and its column that points at the target. */
  readonly pivot: { readonly table: string; readonly relatedKey: string } | null
  /** belongsTo: the signed-in user's id is written on store, and the column is never taken from the body. */
  readonly filledBy: 'user' | null
  /** belongsTo: columns of the target that `search` reaches; of one record, those that `sort=<key>.<column>` reaches. */
  readonly searchable: readonly string[]
  readonly sortable: readonly string[]
  readonly description?: string
  /** A hasMany that is listed as a field: its ids are shown and taken as a list. */
  readonly listed?: true
  /** The feature that adds or fills it; absent: it is the manifest's alone. */
  readonly feature?: string
  /** Absent: there are routes below a record that lead to what it is related to. */
  readonly routes?: false
}

/** A record of one of several repositories, by type and id. */
export interface MorphTo {
  /** Clients ask for this key, and it is the key under `relationships`. */
  readonly key: string
  /** Columns of this table. */
  readonly foreignKey: string
  readonly morphType: string
  /** URI keys, which the type column holds. In manifest order. */
  readonly targets: readonly string[]
  readonly description?: string
}

export interface Pivot {
  readonly table: string
  /** PascalCase: row type and Prisma model, e.g. `CompanyUser`. */
  readonly name: string
  /** The two sides; a morph pivot's first side is the morph. The primary key is their columns (and the morph type). */
  readonly sides: readonly [PivotSide, PivotSide]
  /** Declared pivot fields. */
  readonly fields: readonly Column[]
}

export interface PivotSide {
  readonly column: string
  /** Kind of the column; a morph over keys of several kinds is text. */
  readonly kind: KeyKind
  /** URI key, or null for the morph side (several repositories). */
  readonly entity: string | null
  /** The type column beside `column`, on the morph side. */
  readonly morphType: string | null
}

/** A callable entry (spec 2.5), answered in `app/Hooks`. */
export interface Computed {
  readonly key: string
  /** Asked once for the whole page instead of once per record. */
  readonly batch: boolean
  /** TypeScript of what the hook answers; absent: anything. */
  readonly answer?: string
}

/** A bare-string entry (spec 2.5): a declared relation's name, or a visible field. */
export interface Member {
  readonly key: string
  readonly of: 'relation' | 'field'
}

export interface Match {
  readonly column: string
  readonly type: MatchType
}

/**
 * A problem: what is wrong, where, what is known, how to fix it (style: Errors). Lines and columns
 * start at 1.
 */
export interface Problem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly known?: readonly string[]
  readonly fix?: string
  /** The broken rule, e.g. `unknown-target`: for machines. */
  readonly rule?: string
  /** A place that is not known yet, but of which table it is, and of which field. */
  readonly about?: { readonly table: string; readonly field?: string }
}
