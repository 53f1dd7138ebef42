import type { CheckOptions } from '../manifest/checks.js'
import type {
  BigIntegerField,
  BooleanField,
  DateField,
  DecimalField,
  FixedTextField,
  FormedTextField,
  JsonField,
  MultiSelectField,
  NumberField,
  PasswordField,
  SelectField,
  TextField,
  UuidField,
} from '../manifest/field-types.js'
import { fieldMaker } from '../manifest/field.js'

/** The function of each field kind: `index.ts` gives all of them, so nothing else stands here. */

const textWords = [
  'default',
  'unique',
  'min',
  'max',
  'startsWith',
  'endsWith',
  'regex',
  'sample',
  'folded',
] as const
const textual = fieldMaker(textWords)
const plainText = fieldMaker([...textWords, 'allowEmpty'])
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
export const field = (): TextField => plainText({ kind: 'field' })

/**
 * One line of text, at most 255 characters unless `.max()` says otherwise. Requests may not leave it empty or blank, unless it is
 * `.nullable()` or `.allowEmpty()`; it is stored as it was sent.
 *
 * @example title: text().max(160)
 */
export const text = (): TextField => plainText({ kind: 'text' })

/**
 * Text over several lines, at most 65,535 characters unless `.max()` says otherwise. It may not be empty or blank, as `text`.
 *
 * @example body: textarea().max(5000)
 */
export const textarea = (): TextField => plainText({ kind: 'textarea' })

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
 * A whole number of 64 bits. No digit is lost; a string in JSON and in GraphQL.
 *
 * @example bytes_sent: bigInteger().min(0).default(0)
 */
export const bigInteger = (): BigIntegerField => numeric({ kind: 'bigInteger' })

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
export const email = (): FormedTextField => textual({ kind: 'email' })

/**
 * An absolute `http` or `https` URL without a name or password in it, at most 2,048 characters unless `.max()` says otherwise.
 *
 * @example website: url().nullable()
 */
export const url = (): FormedTextField => textual({ kind: 'url' })

/**
 * An international phone number, `+` and 7 to 15 digits (E.164): blanks, dashes, brackets and dots that were sent are not kept.
 *
 * @example mobile: phone().unique()
 */
export const phone = (): FormedTextField => textual({ kind: 'phone' })

/**
 * A name in addresses, such as `first-post`: lower-case letters and digits, with single dashes between them, at most 255 characters
 * unless `.max()` says fewer.
 *
 * @example slug: slug().unique()
 */
export const slug = (): FormedTextField => textual({ kind: 'slug' })

/**
 * A color as `#1e90ff`: six hexadecimal digits in lower case.
 *
 * @example accent: color().default('#1e90ff')
 */
export const color = (): FixedTextField => distinct({ kind: 'color' })

/**
 * A language, with the script and the region if need be: `it`, `pt-BR`, `zh-Hant-TW` (BCP 47), in exactly these capitals.
 *
 * @example locale: locale().default('en')
 */
export const locale = (): FixedTextField => distinct({ kind: 'locale' })

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
