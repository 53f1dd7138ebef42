import type { Column, Database, FieldKind, Json } from '../../blueprint/types.js'
import { kindOf } from '../../kinds/kinds.js'
import { formMark } from '../rows/conversions/form.js'
import type { PrismaField } from './model.js'
import { fieldName } from './names.js'
import { quote } from './print.js'
import { withMark } from './schema-marks.js'
import { decimalMark } from './sqlite-decimals.js'

/** A column of a table as a field of its Prisma model. */
export function columnField(column: Column, database: Database): PrismaField {
  const {
    prisma: { type },
    takes,
  } = kindOf(column.kind)
  const name = fieldName(column.name)
  const { stored = column.name } = column
  const attributes = [
    ...roleAttributes(column),
    ...(column.unique ? ['@unique'] : []),
    ...defaultAttributes(column, database),
    ...(name === stored ? [] : [`@map(${quote(stored)})`]),
    ...(database === 'sqlite' ? [] : nativeType(column)),
  ]
  const isMarked = database === 'sqlite' && takes === 'digits'
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
  const { takes, prisma } = kindOf(kind)
  if (takes === 'digits') return [`@db.${prisma.type}(${precision}, ${scale})`]
  return prisma.native === null ? [] : [prisma.native]
}

function roleAttributes({ role, kind, name, given }: Column): readonly string[] {
  // Tables of features have keys that are none of a record's.
  if (role === 'id') return ['@id', ...(given === 'must' || name !== 'id' ? [] : keysOf(kind))]
  if (role === 'timestamp') return [name === 'updated_at' ? '@updatedAt' : '@default(now())']
  return []
}

function keysOf(kind: FieldKind): readonly string[] {
  const made = kindOf(kind).key?.prisma ?? null
  return made === null ? [] : [made]
}

function defaultAttributes(column: Column, database: Database): readonly string[] {
  if (column.generated === true) return ['@default(dbgenerated())']
  if (column.default === undefined || column.role === 'id' || column.role === 'timestamp') return []
  return [`@default(${defaultLiteral(column, column.default, database)})`]
}

/** Writes the argument of `@default(…)`. */
export function defaultLiteral(column: Column, value: Json, database: Database): string {
  const made = kindOf(column.kind).prisma.preset(value, column, database)
  if ('bare' in made) return made.bare
  if ('text' in made) return quote(made.text)
  return `dbgenerated(${quote(`'${made.sql.replaceAll("'", "''")}'${made.cast ?? ''}`)})`
}
