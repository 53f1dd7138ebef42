import type { Column, FieldKind } from '../../../blueprint/types.js'
import { jsonReference } from '../../../kinds/json.js'
import { keyOf, kindOf } from '../../../kinds/kinds.js'
import { choice, textOrNumber, typeOf } from '../../../kinds/schema.js'
import type { Data } from '../facts.js'

/** An e-mail address in a form. */
export const emailSchema: Data = kindOf('email').document.sent({ name: 'email', nullable: false })

/** The id of a record, as responses show it. */
export function idSchema(kind: FieldKind, isNullable = false): Data {
  return { type: typeOf('string', isNullable), ...keyOf(kind).shown }
}

/** A column as responses show it. */
export function shownSchema(column: Column): Data {
  return described(column, readSchema(column))
}

function readSchema(column: Column): Data {
  const { role, kind, nullable } = column
  if (role === 'foreign') return idSchema(kind, nullable)
  if (role === 'morphId') return { type: typeOf('string', nullable) }
  if (role === 'morphType')
    return choice(
      (column.owners ?? []).map(({ entity }) => entity),
      nullable,
    )
  return kindOf(kind).document.shown(column)
}

/** A column as a body may send it. */
export function writtenSchema(column: Column): Data {
  return described(column, writeSchema(column))
}

function writeSchema(column: Column): Data {
  const { role, kind, nullable } = column
  if (role === 'foreign') return reference(kind, nullable)
  if (role === 'id') return givenId(column)
  return kindOf(kind).document.sent(column)
}

/** The id of a new record, which its body names. */
const givenId = ({ kind, max }: Column): Data => ({
  ...keyOf(kind).reference(false),
  ...(max === undefined ? {} : { maxLength: max, pattern: '^[^\\s/\\\\?#%]+$' }),
})

/** The schema `Json`: what loses no digit on the way. */
export const jsonInBody: Data = {
  description: 'Any JSON; whole numbers are below 2^53, and larger ones are sent as text.',
  anyOf: [
    ...['null', 'boolean', 'string'].map((type) => ({ type })),
    { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    { type: 'number', not: { type: 'integer' } },
    // With `items` that refer to it, the type that openapi-typescript makes would need itself.
    { type: 'array', items: {}, not: { contains: { not: jsonReference } } },
    { type: 'object', additionalProperties: jsonReference },
  ],
}

/** Another record in a body: ids are text in answers, and numbers are taken too. */
export const reference = (kind: FieldKind, isNullable = false): Data =>
  keyOf(kind).reference(isNullable)

/** The schema `Id`. */
export const idInBody: Data = {
  description: 'The id of a record: text, as answers show it, or a number.',
  ...textOrNumber(
    '^([1-9]\\d{0,8}|1\\d{9}|20\\d{8}|21[0-3]\\d{7}|214[0-6]\\d{6}|2147[0-3]\\d{5}|21474[0-7]\\d{4}|214748[0-2]\\d{3}|2147483[0-5]\\d{2}|21474836[0-3]\\d|214748364[0-7])$',
    { type: 'integer', minimum: 1, maximum: 2147483647 },
    false,
  ),
}

/** `x-placeholder` is what an empty input of the page `/docs` shows. */
const described = ({ description, label, placeholder }: Column, schema: Data): Data => ({
  ...(label === undefined ? {} : { title: label }),
  ...(description === undefined ? {} : { description }),
  ...schema,
  ...(placeholder === undefined ? {} : { 'x-placeholder': placeholder }),
})
