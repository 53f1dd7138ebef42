import type { Field } from './field.js'

/**
 * Types of the functions of `kinds/words.ts`. `like` tells the checks of `checks.ts` about the
 * values.
 */

/** A value of JSON, as deep as you like. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** Text of a kind that tells what it looks like: an e-mail address, a URL. */
export interface FormedTextField extends Field {
  readonly like?: 'text'
  /** Used when a new record does not say. */
  default(value: string): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
  /** At least this many characters. */
  min(characters: number): this
  /** At most this many characters. */
  max(characters: number): this
  /** It begins so: `text().startsWith('ABC-')`. */
  startsWith(text: string): this
  /** It ends so: `email().endsWith('@example.com')`. */
  endsWith(text: string): this
  /**
   * It matches: `text().regex(/^[A-Z]{3}-\d+$/u)`. What others send is told `says` after "must be":
   * `{ says: 'three letters, a dash and digits' }`. The flag is `u` and no other, so that the API's document can say the same;
   * what may take long, whatever is sent, is refused by `svc generate`.
   */
  regex(pattern: RegExp, options?: { readonly says?: string }): this
  /** A value that passes, for examples, tests and the seed, where svc finds none: `.sample('ABC-1')`. */
  sample(value: string): this
  /** Searched without case and accents, alike on every database: `ecole` finds `École`, `strasse` finds `Straße`. */
  folded(): this
}

/** Text of any form. Where it is not nullable, requests may not leave it empty or blank. */
export interface TextField extends FormedTextField {
  /** Lets requests send `''` and texts of nothing but white space, although the field is not nullable. */
  allowEmpty(): this
}

/** Text whose form says how long it is. */
export interface FixedTextField extends Field {
  readonly like?: 'text'
  /** Used when a new record does not say. */
  default(value: string): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
}

/** A whole or a floating number. */
export interface NumberField extends Field {
  readonly like?: 'number'
  /** Used when a new record does not say. */
  default(value: number): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
  /** The smallest value taken. */
  min(value: number): this
  /** The largest value taken. */
  max(value: number): this
}

/** A number that loses no digit; a string in JSON and in code. */
export interface DecimalField extends Field {
  readonly like?: 'decimal'
  /** Used when a new record does not say; a string, so that no digit is lost: `'9.90'`. */
  default(value: string): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
  /** The smallest value taken. */
  min(value: number): this
  /** The largest value taken. */
  max(value: number): this
}

/** A whole number of 64 bits; a string in JSON and in code. */
export interface BigIntegerField extends Field {
  readonly like?: 'bigInteger'
  /** Used when a new record does not say; a string where it is above 2^53: `'9007199254740993'`. */
  default(value: string | number): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
  /** The smallest value taken. */
  min(value: number): this
  /** The largest value taken. */
  max(value: number): this
}

/** True or false. */
export interface BooleanField extends Field {
  readonly like?: 'boolean'
  /** Used when a new record does not say. */
  default(value: boolean): this
}

/** A day, or an instant in UTC. */
export interface DateField extends Field {
  readonly like?: 'date'
  /** Used when a new record does not say: `'2026-02-03'`, for an instant `'2026-02-03T04:05:06Z'`. */
  default(value: string): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
}

/** Any JSON; its shape is kept. */
export interface JsonField extends Field {
  readonly like?: 'json'
  /** Used when a new record does not say. */
  default(value: JsonValue): this
  /** At most this many characters of JSON. */
  max(characters: number): this
}

/** One of a list of words. */
export interface SelectField<Option extends string> extends Field {
  readonly like?: 'select'
  /** Used when a new record does not say. */
  default(value: Option): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
  /** PostgreSQL: the enum type that the column has, in a database that was there before. */
  enumType(name: string): this
}

/** Several of a list of words, each at most once. */
export interface MultiSelectField<Option extends string> extends Field {
  readonly like?: 'json'
  /** Used when a new record does not say. */
  default(value: readonly Option[]): this
  /** At least this many words. */
  min(items: number): this
  /** At most this many words. */
  max(items: number): this
}

/** A secret to sign in with. */
export interface PasswordField extends Field {
  readonly like?: 'password'
  /** At least this many characters. */
  min(characters: number): this
  /** At most this many characters. */
  max(characters: number): this
}

/** A UUID. */
export interface UuidField extends Field {
  readonly like?: 'uuid'
  /** Used when a new record does not say. */
  default(value: string): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
}
