import { FIELD_KINDS } from '../../blueprint/field-kinds.js'
import type { Column, Database, FieldKind, Json } from '../../blueprint/types.js'
import { formMark } from './conversions/form.js'
import type { PrismaField } from './model.js'
import { fieldName } from './names.js'
import { quote } from './print.js'
import { withMark } from './schema-marks.js'
import { decimalMark } from './sqlite-decimals.js'

/** A column of a table as a field of its Prisma model. */
export function columnField(column: Column, database: Database): PrismaField {
  const type = FIELD_KINDS[column.kind].prisma
  const name = fieldName(column.name)
  const { stored = column.name } = column
  const attributes = [
    ...roleAttributes(column),
    ...(column.unique ? ['@unique'] : []),
    ...defaultAttributes(column, database),
    ...(name === stored ? [] : [`@map(${quote(stored)})`]),
    ...(database === 'sqlite' ? [] : nativeType(column)),
  ]
  const isMarked = database === 'sqlite' && column.kind === 'decimal'
  return {
    name,
    type: column.nullable ? `${type}?` : type,
    attributes,
    description: isMarked ? withMark(column.description, decimalMark(column)) : column.description,
    ...(column.role === 'field' || column.role === 'morphId' ? { mark: formMark(column) } : {}),
  }
}

/** PostgreSQL's type, where it is not the one Prisma would choose. */
function nativeType({ kind, precision = 10, scale = 2 }: Column): readonly string[] {
  if (kind === 'decimal') return [`@db.Decimal(${precision}, ${scale})`]
  const { native } = FIELD_KINDS[kind]
  return native === undefined ? [] : [native]
}

function roleAttributes({ role, kind, name }: Column): readonly string[] {
  if (role === 'id') return ['@id', ...keyDefaults(kind)]
  if (role === 'timestamp') return [name === 'updated_at' ? '@updatedAt' : '@default(now())']
  return []
}

/** The server makes UUIDs itself; `uuid(7)` is for rows written through Prisma. */
function keyDefaults(kind: FieldKind): readonly string[] {
  if (kind === 'uuid') return ['@default(uuid(7))']
  return kind === 'integer' ? ['@default(autoincrement())'] : []
}

function defaultAttributes(column: Column, database: Database): readonly string[] {
  if (column.generated === true) return ['@default(dbgenerated())']
  if (column.default === undefined || column.role === 'id' || column.role === 'timestamp') return []
  return [`@default(${defaultLiteral(column, column.default, database)})`]
}

/**
 * Rows that a migration fills, rows of the seed and rows of the server must hold the same text. Where Prisma would write
 * another one on SQLite (dates with a blank, JSON without quotes), the SQL is spelled out.
 */
export function defaultLiteral(column: Column, value: Json, database: Database): string {
  const isSqlite = database === 'sqlite'
  const type = FIELD_KINDS[column.kind].prisma
  if (type === 'Json') return isSqlite ? inSql(JSON.stringify(value)) : quote(JSON.stringify(value))
  if (type === 'DateTime') {
    const instant = new Date(String(value)).toISOString()
    return isSqlite ? inSql(instant.replace('Z', '+00:00')) : quote(instant)
  }
  // As PostgreSQL gives it back; otherwise Prisma would see a difference for ever.
  if (column.kind === 'uuid' && !isSqlite) return inSql(String(value), '::uuid')
  if (type === 'Decimal') return withScale(String(value), column.scale ?? 2)
  if (typeof value === 'number') return plainNumber(value)
  return typeof value === 'boolean' ? String(value) : quote(String(value))
}

const inSql = (text: string, cast = '') =>
  `dbgenerated(${quote(`'${text.replaceAll("'", "''")}'${cast}`)})`

/** `1.5` with scale 2 is `1.50`. */
function withScale(digits: string, scale: number): string {
  const [whole = '0', fraction = ''] = digits.split('.')
  return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0').slice(0, scale)}`
}

/** Prisma's numbers have no exponent: `1e-7` is `0.0000001`. */
function plainNumber(value: number): string {
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  const sign = value < 0 ? '-' : ''
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const all = `${whole}${fraction}`.padEnd(point, '0')
  return point > 0 ? `${sign}${all}` : `${sign}0.${'0'.repeat(-point)}${all}`
}
