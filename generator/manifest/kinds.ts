import type { CheckOptions } from './checks.js'
import { fieldMaker, type Field } from './field.js'

/** A value of JSON, as deep as you like. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** Text of any kind. */
export interface TextField extends Field {
  readonly like?: 'text'
  /** Used when a new record does not say. */
  default(value: string): this
  /** No two records have the same; the second one is answered with 422. */
  unique(): this
  /** At least this many characters. */
  min(characters: number): this
  /** At most this many characters. */
  max(characters: number): this
  /** Searched without case and accents, alike on every database: `ecole` finds `École`, `strasse` finds `Straße`. */
  folded(): this
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
  readonly like?: 'multiSelect'
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

const textual = fieldMaker(['default', 'unique', 'min', 'max', 'folded'])
const numeric = fieldMaker(['default', 'unique', 'min', 'max'])
const truth = fieldMaker(['default'])
const document = fieldMaker(['default', 'max'])
const distinct = fieldMaker(['default', 'unique'])
const chosen = fieldMaker(['default', 'unique', 'enumType'])
const choices = fieldMaker(['default', 'min', 'max'])
const secret = fieldMaker(['min', 'max'])

/** The compiler was shown a checked view of the list; an empty one is reported by `svc generate` too. */
const listed = <Option extends string>(options: CheckOptions<Option>) =>
  options as readonly Option[]

/**
 * Text of no particular kind: one line, at most 255 characters unless `.max()` says otherwise.
 *
 * @example nickname: field().nullable()
 */
export const field = (): TextField => textual({ kind: 'field' })

/**
 * One line of text, at most 255 characters unless `.max()` says otherwise.
 *
 * @example title: text().max(160)
 */
export const text = (): TextField => textual({ kind: 'text' })

/**
 * Text over several lines, at most 65,535 characters unless `.max()` says otherwise.
 *
 * @example body: textarea().max(5000)
 */
export const textarea = (): TextField => textual({ kind: 'textarea' })

/**
 * A whole number of 32 bits; the same as `integer`.
 *
 * @example rooms: number().min(1)
 */
export const number = (): NumberField => numeric({ kind: 'number' })

/**
 * A whole number of 32 bits, the range of GraphQL's Int.
 *
 * @example position: integer().min(0).default(0)
 */
export const integer = (): NumberField => numeric({ kind: 'integer' })

/**
 * A floating number of 64 bits. For money take `decimal`.
 *
 * @example latitude: float().min(-90).max(90)
 */
export const float = (): NumberField => numeric({ kind: 'float' })

/**
 * A number of `precision` digits, `scale` of them behind the point. No digit is lost; a string in JSON.
 * At most 15 digits on SQLite, 100 on PostgreSQL.
 *
 * @example price: decimal(10, 2).min(0)
 */
export const decimal = (precision: number, scale: number): DecimalField =>
  numeric({ kind: 'decimal', precision, scale })

/**
 * True or false.
 *
 * @example is_admin: boolean().default(false).readonly()
 */
export const boolean = (): BooleanField => truth({ kind: 'boolean' })

/**
 * A switch: true or false; the same as `boolean`.
 *
 * @example newsletter: toggle().default(true)
 */
export const toggle = (): BooleanField => truth({ kind: 'toggle' })

/**
 * A day without a time, `'2026-02-03'`.
 *
 * @example born_on: date().nullable()
 */
export const date = (): DateField => distinct({ kind: 'date' })

/**
 * An instant, an ISO string in UTC: `'2026-02-03T04:05:06.789Z'`.
 *
 * @example published_at: dateTime().nullable()
 */
export const dateTime = (): DateField => distinct({ kind: 'dateTime' })

/**
 * Any JSON; its shape is kept. At most 1,000,000 characters of it unless `.max()` says otherwise.
 *
 * @example settings: json().default({ theme: 'light' })
 */
export const json = (): JsonField => document({ kind: 'json' })

/**
 * Several of the given words, each at most once; a list in JSON.
 *
 * @example days: multiSelect(['mon', 'tue', 'wed']).max(2)
 */
export const multiSelect = <const Option extends string>(
  options: CheckOptions<Option>,
): MultiSelectField<Option> => choices({ kind: 'multiSelect', options: listed<Option>(options) })

/**
 * An e-mail address.
 *
 * @example email: email().unique()
 */
export const email = (): TextField => textual({ kind: 'email' })

/**
 * A password: hashed with Argon2id before it is stored, never shown, searched or sorted by.
 *
 * @example password: password().min(12)
 */
export const password = (): PasswordField => secret({ kind: 'password' })

/**
 * A UUID that clients send; for the key of records see `id: 'uuid'`.
 *
 * @example external_id: uuid().unique()
 */
export const uuid = (): UuidField => distinct({ kind: 'uuid' })

/**
 * One of the given words.
 *
 * @example status: select(['draft', 'live']).default('draft')
 */
export const select = <const Option extends string>(
  options: CheckOptions<Option>,
): SelectField<Option> => chosen({ kind: 'select', options: listed<Option>(options) })
