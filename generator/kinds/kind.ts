import type { KindName } from '../../runtime/kinds/kinds.js'
import type { JsonValue } from '../manifest/field-types.js'
import type { TextRule } from '../manifest/field.js'

/**
 * What a field kind is: a file each, and `kinds.ts` lists them. How its values are stored, read and written at
 * run time is in `runtime/kinds/<storage>.ts`; what becomes of them when a field is of another kind from now on,
 * in `migrations/rows/conversions`, for each pair.
 */
export interface Kind<Name extends string = string, Group extends string = string> {
  readonly name: Name
  /** The server's way to store and compare a value. */
  readonly storage: KindName
  /** Kinds of one group keep the same values: a field may be of another one with nothing to convert. */
  readonly group: Group
  /** The arguments of its function: `select(['draft'])`, `decimal(10, 2)`. */
  readonly takes: 'options' | 'digits' | null

  /** `search` may look into it. */
  readonly isText: boolean
  readonly isSortable: boolean
  /** Match types of requests; the best first. */
  readonly match: readonly MatchType[]

  /** The argument of `.min()` and `.max()`. */
  readonly bound: Bound
  /** The `.max()` of a field that says none; null: it has none. */
  readonly usualMax: number | null
  /** Characters that its rule takes where nobody said `.max()`, where `doctor` asks whether so many are meant; null: it does not. */
  readonly longest: number | null
  /** Returns true if an index can hold every value, of so many characters. */
  readonly isIndexable: (max: number | undefined) => boolean
  readonly preset: Preset

  /** The value in a row; that of options is narrower. */
  readonly typescript: string
  readonly graphql: string
  /** A value is several of its options. */
  readonly isList: boolean
  /** True or false: who says nothing says false. */
  readonly isSwitch: boolean
  /** An insert may say it as a `Date`. */
  readonly isDate: boolean
  /** One value of a parameter, in the typed client. */
  readonly client: string
  readonly prisma: PrismaType
  /** As the key of a table; null: no record has such an id. */
  readonly key: KeyFacts | null
  readonly rule: Rule
  readonly document: Document
  readonly existing: Existing
  /** The texts that are a value of it; null: its storage says, or its options. */
  readonly told: Told | null

  /** A value that passes its rule, for examples. */
  readonly sample: (column: ColumnFacts) => JsonValue
  /** The value in a row of a project's tests; null: the sample. */
  readonly row: ((column: ColumnFacts) => JsonValue) | null
  /** TypeScript of a value that is another one each time; null: there are too few, in any field or in this one. */
  readonly varied: ((column: ColumnFacts) => string | null) | null
  readonly edges: Edges
  /** TypeScript of the first user's value, for the seed. */
  readonly seed: (column: ColumnFacts) => string
}

/** Facts about a column's values. */
export interface ColumnFacts {
  readonly name: string
  readonly nullable: boolean
  readonly min?: number
  readonly max?: number
  /** No request leaves its text empty or blank. */
  readonly notBlank?: true
  /** Further rules of its text. */
  readonly rules?: readonly TextRule[]
  /** A value that passes all of them; there is one where there are rules. */
  readonly sample?: string
  readonly options?: readonly string[]
  readonly precision?: number
  readonly scale?: number
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

export interface Bound {
  /** After "takes". */
  readonly says: string
  readonly holds: (value: number) => boolean
}

/** The argument of `.default()`. */
export interface Preset {
  /** After "takes". */
  readonly says: string
  readonly example: string
  /** The value in the form the server stores; undefined: it is none. */
  readonly read: (written: unknown) => JsonValue | undefined
}

export interface PrismaType {
  readonly type: string
  /** PostgreSQL's type, where it is not the one Prisma would take; null: it is, or has the digits. */
  readonly native: string | null
  /** Rows that a migration fills, rows of the seed and rows of the server must hold the same. */
  readonly preset: (
    value: JsonValue,
    column: ColumnFacts,
    database: 'sqlite' | 'postgresql',
  ) => PrismaDefault
}

/**
 * The ids of a kind, wherever records are named. `runtime/kinds/<storage>.ts` reads and makes them.
 */
export interface KeyFacts {
  /** The word of the manifest: `id: 'bigint'`. */
  readonly word: string
  /** Prisma's way to make one; null: only the server and clients do. */
  readonly prisma: string | null
  /** Its schema in answers, besides that it is text. */
  readonly shown: Schema
  /** And of one in a body, which names another record. */
  readonly reference: (isNullable: boolean) => Schema
  /** TypeScript of a new one, for rows of a project's tests; null: the database counts them up. */
  readonly made: string | null
  /** An id that a record may have. */
  readonly sample: string
  /** PostgreSQL: of a text that should be one, where a column holds ids of several kinds. */
  readonly morph: KeyInText | null
}

interface KeyInText {
  /** Prisma's type of such a key. */
  readonly isOne: RegExp
  /** The key, or NULL: no record has it. */
  readonly cast: (value: string) => string
}

/**
 * The argument of `@default(…)`: a text, something bare, or SQL where Prisma would write another
 * value.
 */
export type PrismaDefault =
  | { readonly text: string }
  | { readonly bare: string }
  | { readonly sql: string; readonly cast?: string }

/** The function of the runtime that reads a value of a request; kinds may share one. */
export interface Rule {
  readonly name: string
  /** The file in `runtime/input/`. */
  readonly file: string
  /** Writes the code behind its name: `().max(160)`. */
  readonly given: (column: ColumnFacts) => string
}

/**
 * What the API's document says of a value: JSON Schema. The contract test of a project sends values that the schema allows: where a
 * `format` is not one of those it knows, a `pattern` has to say them.
 */
export interface Document {
  /** As answers show it. */
  readonly shown: (column: ColumnFacts) => Schema
  /** As a body may send it. */
  readonly sent: (column: ColumnFacts) => Schema
  /** As the text of a parameter, under the name that all columns alike share. */
  readonly parameter: (column: ColumnFacts) => { readonly name: string; readonly schema: Schema }
}

export type Schema = Readonly<Record<string, JsonValue>>

/**
 * Of a kind that is stored as text: which texts are a value of it, where a field becomes one. Two kinds of which this tells are
 * never one `group`, which is `told` for all of them.
 */
export interface Told {
  /** Characters that are not kept: `+39 (06)` is `+3906`. */
  readonly drops: string
  /** Returns the lengths of a value, in a field with these bounds. */
  readonly lengths: (field: Pick<ColumnFacts, 'min' | 'max'>) => readonly [number, number]
  /**
   * A regular expression for a value without those characters, the same in PostgreSQL and in code.
   */
  readonly pattern: string
  /** Writes the condition for SQLite, which has no regular expressions. */
  readonly sqlite: (text: string) => string
  /** The tests try them wherever values come from: values at its edges, and texts that are nearly one. */
  readonly samples: { readonly values: readonly string[]; readonly others: readonly string[] }
}

/** In a database that was there before: `svc init --from`. */
export interface Existing {
  /** PostgreSQL's types that become it, whatever their rows hold. */
  readonly types: readonly string[]
  /** A default of the database as the manifest writes it; undefined: the database works it out. */
  readonly preset: (found: SqlDefault) => string | undefined
}

export interface SqlDefault {
  /** As the database says it: `'draft'::text`, `now()`. */
  readonly sql: string
  /** The text between its quotes. */
  readonly word: string | undefined
  /** The digits of a number. */
  readonly digits: string | undefined
}

/** The values that are lost most easily. */
export interface Edges {
  /**
   * The values of a field without bounds, and their name in a project's tests; null: each field has
   * others.
   */
  readonly usual: { readonly name: string; readonly values: readonly JsonValue[] } | null
  /** As TypeScript, in the order in which the database sorts them. */
  readonly of: (column: ColumnFacts) => readonly string[]
}

/**
 * A kind that is stored as another one, and what it has of its own. A column that was there before becomes the other, unless
 * this one says so too.
 */
export const like = <Name extends string, Group extends string>(
  base: Kind,
  own: Partial<Omit<Kind, 'storage' | 'told'>> & {
    readonly name: Name
    readonly group: Group
  } & (Group extends 'told' ? { readonly told: Told } : unknown),
): Kind<Name, Group> =>
  Object.assign({}, base, { existing: { ...base.existing, types: [] }, key: null }, own)
