import { longestOf, storageOf } from '../../blueprint/field-kinds.js'
import type { Column, Entity, Json } from '../../blueprint/types.js'
import type { Data } from './facts.js'

const patterns = {
  id: '^[1-9]\\d*$',
  uuid: '^[\\da-fA-F]{8}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{12}$',
  date: '^(?!0000)\\d{4}-\\d\\d-\\d\\d$',
  // As zod reads one; the format alone is another in each tool.
  email:
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
} as const

/** An e-mail address in a form. */
export const emailSchema: Data = {
  type: 'string',
  format: 'email',
  pattern: patterns.email,
  maxLength: 254,
}

/** The id of a record, as responses show it. */
export function idSchema(kind: Entity['id'], isNullable = false): Data {
  const type = typeOf('string', isNullable)
  return kind === 'uuid' ? { type, format: 'uuid' } : { type, pattern: patterns.id }
}

/** A column as responses show it. */
export function shownSchema(column: Column): Data {
  return described(column, readSchema(column))
}

function readSchema(column: Column): Data {
  const { role, kind, nullable } = column
  if (role === 'foreign') return idSchema(kind === 'uuid' ? 'uuid' : 'integer', nullable)
  if (role === 'morphId') return { type: typeOf('string', nullable) }
  if (role === 'morphType')
    return choice(
      (column.owners ?? []).map(({ entity }) => entity),
      nullable,
    )
  switch (storageOf(column)) {
    case 'decimal':
      return { type: typeOf('string', nullable), pattern: `^${decimalDigits(column, false)}$` }
    case 'date':
      return { type: typeOf('string', nullable), format: 'date' }
    case 'dateTime':
      return { type: typeOf('string', nullable), format: 'date-time' }
    case 'uuid':
      return { type: typeOf('string', nullable), format: 'uuid' }
    case 'json':
      return jsonSchema(column)
    case 'text':
      return kind === 'select' ? choice(column.options ?? [], nullable) : text(column)
    default:
      return { type: typeOf(numberType(column), nullable) }
  }
}

const text = ({ nullable }: Column): Data => ({ type: typeOf('string', nullable) })

/** A column as a body may send it. */
export function writtenSchema(column: Column): Data {
  return described(column, writeSchema(column))
}

function writeSchema(column: Column): Data {
  const { role, kind, nullable, min, max } = column
  if (role === 'foreign') return reference(kind === 'uuid' ? 'uuid' : 'integer', nullable)
  const type = typeOf('string', nullable)
  const lengths = bounds('minLength', min, 'maxLength', max ?? longestOf(kind))
  switch (storageOf(column)) {
    case 'integer':
      return {
        type: typeOf('integer', nullable),
        minimum: Math.max(min ?? -2147483648, -2147483648),
        maximum: Math.min(max ?? 2147483647, 2147483647),
      }
    case 'float':
      return { type: typeOf('number', nullable), ...bounds('minimum', min, 'maximum', max) }
    case 'decimal':
      return decimal(column)
    case 'date':
      return { type, format: 'date', pattern: patterns.date }
    case 'uuid':
      return { type, format: 'uuid', pattern: patterns.uuid }
    case 'password':
      return {
        type,
        format: 'password',
        minLength: Math.max(min ?? 8, 8),
        maxLength: Math.min(max ?? 200, 200),
      }
    case 'json':
      return kind === 'multiSelect' ? jsonSchema(column) : sentJson(column)
    case 'text':
      if (kind === 'select') return choice(column.options ?? [], nullable)
      if (kind !== 'email') return { type, ...lengths }
      return {
        type,
        format: 'email',
        pattern: patterns.email,
        ...lengths,
        maxLength: Math.min(max ?? 254, 254),
      }
    default:
      return readSchema(column)
  }
}

/** Text keeps every digit; a JSON number is taken as long as it does, which is up to 15 of them. */
function decimal(column: Column): Data {
  const { min, max, nullable, precision = 0, scale = 0 } = column
  const sign = min !== undefined && min >= 0 ? '\\+?' : '[+-]?'
  const digits = Math.min(precision, 15)
  const most = Number(`${'9'.repeat(digits)}e-${scale}`)
  return {
    type: ['string', 'number', ...(nullable ? ['null'] : [])],
    pattern: `^${sign}${decimalDigits(column, true)}$`,
    multipleOf: Number(`1e-${scale}`),
    minimum: Math.max(min ?? -most, -most),
    maximum: Math.min(max ?? most, most),
  }
}

/** What a decimal looks like: as it is shown, or as it may be sent, with zeros that say nothing. */
function decimalDigits({ precision = 0, scale = 0 }: Column, isSent: boolean): string {
  const whole = precision - scale
  if (!isSent) return `-?\\d{1,${Math.max(whole, 1)}}${scale === 0 ? '' : `\\.\\d{${scale}}`}`
  const before = whole > 0 ? `0*\\d{1,${whole}}` : '0+'
  return `${before}(\\.${scale > 0 ? `\\d{0,${scale}}` : ''}0*)?`
}

function jsonSchema({ kind, nullable, options = [], min, max }: Column): Data {
  if (kind !== 'multiSelect') {
    return nullable ? {} : { type: ['object', 'array', 'string', 'number', 'boolean'] }
  }
  const items = { type: 'string', enum: [...options] }
  const lengths = bounds('minItems', min, 'maxItems', max)
  return { type: typeOf('array', nullable), items, uniqueItems: true, ...lengths }
}

const sentJson = ({ nullable }: Column): Data =>
  nullable ? jsonReference : { allOf: [jsonReference, { not: { type: 'null' } }] }

const jsonReference = { $ref: '#/components/schemas/Json' }

/** The schema `Json`: what loses no digit on the way. */
export const jsonInBody: Data = {
  description: 'Any JSON; whole numbers are below 2^53, and larger ones are sent as text.',
  anyOf: [
    { type: ['null', 'boolean', 'string'] },
    { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    { type: 'number', not: { type: 'integer' } },
    { type: 'array', items: jsonReference },
    { type: 'object', additionalProperties: jsonReference },
  ],
}

/** Another record in a body: ids are text in answers, and numbers are taken too. */
export function reference(kind: Entity['id'], isNullable = false): Data {
  if (kind === 'uuid')
    return { type: typeOf('string', isNullable), format: 'uuid', pattern: patterns.uuid }
  return isNullable ? { anyOf: [idReference, { type: 'null' }] } : idReference
}

const idReference = { $ref: '#/components/schemas/Id' }

/** The schema `Id`. */
export const idInBody: Data = {
  description: 'The id of a record: text, as answers show it, or a number.',
  type: ['string', 'integer'],
  pattern:
    '^([1-9]\\d{0,8}|1\\d{9}|20\\d{8}|21[0-3]\\d{7}|214[0-6]\\d{6}|2147[0-3]\\d{5}|21474[0-7]\\d{4}|214748[0-2]\\d{3}|2147483[0-5]\\d{2}|21474836[0-3]\\d|214748364[0-7])$',
  minimum: 1,
  maximum: 2147483647,
}

const numberType = (column: Column) => {
  const storage = storageOf(column)
  if (storage === 'boolean') return 'boolean'
  return storage === 'integer' ? 'integer' : 'number'
}

const typeOf = (type: string, isNullable: boolean): Json => (isNullable ? [type, 'null'] : type)

function choice(options: readonly string[], isNullable: boolean): Data {
  return { type: typeOf('string', isNullable), enum: [...options, ...(isNullable ? [null] : [])] }
}

function bounds(
  least: string,
  min: number | undefined,
  most: string,
  max: number | undefined,
): Data {
  return {
    ...(min === undefined ? {} : { [least]: min }),
    ...(max === undefined ? {} : { [most]: max }),
  }
}

const described = ({ description }: Column, schema: Data): Data =>
  description === undefined ? schema : { description, ...schema }
