/**
 * What a stored value is: one file for each way of storing. The value is the same everywhere in
 * JavaScript: rows of policies and hooks, conditions, validated input.
 *
 *   kind          value                         SQLite                           PostgreSQL
 *   integer       number                        INTEGER                          integer
 *   bigInteger    '9007199254740993', a string   INTEGER                          bigint
 *   float         number                        REAL                             double precision
 *   decimal(p,s)  '12.50', exactly s digits     12.5, a number (p up to 15)      numeric(p,s)
 *   boolean       true, false                   0, 1                             boolean
 *   text          string                        TEXT                             text
 *   password      string (a hash)               TEXT                             text
 *   uuid          string, lower case            TEXT                             uuid
 *   date          '2026-02-03'                  '2026-02-03T00:00:00.000+00:00'  date
 *   dateTime      '2026-02-03T04:05:06.789Z'    '2026-02-03T04:05:06.789+00:00'  timestamptz(3)
 *   json          parsed                        JSON text                        jsonb
 */

export type Dialect = 'sqlite' | 'postgresql'

/** A value a driver takes. A list is one parameter: JSON text on SQLite, else an array. */
export type Parameter = string | number | bigint | null | Uint8Array | readonly (string | number)[]

/** From the driver's value to ours; undefined: it is none of this kind. NULL never reaches it. */
export type Decode = (stored: unknown) => unknown

/** From our value to the driver's. NULL never reaches it. */
export type Encode = (value: unknown) => Parameter

/** The digits of a decimal in all, and after the point. */
export interface Digits {
  readonly precision: number
  readonly scale: number
}

export const noDigits: Digits = { precision: 0, scale: 0 }

export interface Key {
  /** The key that a text names; undefined: no record has it. */
  readonly fromText: (text: string) => number | string | undefined
  /** The kind of key that the server makes; null: the database counts. */
  readonly makes: 'uuid' | 'ulid' | null
  /** Compares two texts as the database sorts them: below 0 or above. */
  readonly compare: (one: string, other: string) => number
}

export interface StoredKind<Name extends string = string> {
  readonly name: Name
  /** Describes the value, to follow "must be". */
  readonly says: (digits: Digits) => string
  /** The value that a text of a query string stands for; undefined: none. */
  readonly fromText: (text: string, digits: Digits) => unknown
  /** The value that JSON stands for, in a body or a default; undefined: none. */
  readonly fromJson: (value: unknown, digits: Digits) => unknown
  /** Reads a value of code, whose type was checked; undefined: none. */
  readonly fromCode: (value: unknown, digits: Digits) => unknown
  /** Null: no keys of records are stored so. */
  readonly key: Key | null
  /** Search finds a part of its text, a whole key, or nothing. */
  readonly searched: 'part' | 'key' | 'never'
  /** PostgreSQL's type. */
  readonly type: string
  readonly encode: Readonly<Record<Dialect, Encode>>
  /** `scale` is the digits after the point of a decimal; null: the driver's value is ours. */
  readonly decode: Readonly<Record<Dialect, ((scale: number) => Decode) | null>>
  /** Types that tables of SQLite declare for it, where `db` has to decode it. */
  readonly declared: readonly string[]
  /** SQLite: the format in which `printf` shows it; null: a cast does. */
  readonly format: ((scale: number) => string) | null
  /** Text, which is compared by code point. */
  readonly isText: boolean
  /** An instant, of which a day has many. */
  readonly isInstant: boolean
  /** A day or an instant: a `Date` for Prisma's client. */
  readonly isTime: boolean
  /** Values may be of any length. */
  readonly isLong: boolean
  /** JSON, which goes into an answer as it is. */
  readonly isJson: boolean
  /** PostgreSQL's JSON shows it as the driver does. */
  readonly isPlain: boolean
  /** A driver would round it: statements ask for its text. */
  readonly isRounded: boolean
  /** Stored as what a hash makes of it, and never read. */
  readonly isSecret: boolean
  /** PostgreSQL: a value that can be compared, and that no column of the kind holds. */
  readonly isTooFine: (value: unknown) => boolean
}

/** The driver takes it as it is: rules and types have checked what it is. */
export const same: Encode = (value) => value as Parameter

export const never = (): false => false

/** A kind that is stored as another one, and what it has of its own. */
export const like = <Name extends string>(
  base: StoredKind,
  own: Partial<StoredKind> & { readonly name: Name },
): StoredKind<Name> => Object.assign({}, base, own)
