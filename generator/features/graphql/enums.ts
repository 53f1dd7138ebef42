import { studly } from '../../blueprint/names/names.js'
import type { Column, Entity, Pivot } from '../../blueprint/types.js'
import { kindOf } from '../../kinds/kinds.js'
import type { FreeName } from './names.js'
import type { GraphqlSettings } from './settings.js'

/** The options of a column, as a type of the schema. */
export interface EnumType {
  readonly name: string
  readonly values: readonly string[]
}

/**
 * Enums by the column they are of: `posts.status`, or of a pivot table `company_user.role`. `PostStatus`, or where a type
 * is called that, `PostStatusEnum`. Options that cannot stand in a schema as they are stay texts.
 */
export function enumsOf(
  entities: readonly Entity[],
  pivots: readonly Pivot[],
  names: ReadonlyMap<string, string>,
  settings: GraphqlSettings,
  free: FreeName,
): ReadonlyMap<string, EnumType> {
  const owners = [
    ...entities.flatMap(({ key, columns }) => {
      const type = names.get(key)
      return type === undefined ? [] : [{ key, type, columns }]
    }),
    ...pivots.map(({ table, name, fields }) => ({ key: table, type: name, columns: fields })),
  ]
  const found = owners.flatMap(({ key, type, columns }) =>
    columns
      .filter((column) => isEnum(column, `${key}.${column.name}`, settings))
      .map(({ name, options = [] }) => {
        const enumName = free(`${type}${studly(name)}`, 'Enum')
        return [`${key}.${name}`, { name: enumName, values: options }] as const
      }),
  )
  return new Map(found)
}

/** For several of them the specification has `[String!]`, which `precise` narrows. */
function isEnum(
  column: Column,
  place: string,
  { types, fields, schema }: GraphqlSettings,
): boolean {
  const { kind, options = [] } = column
  if (fields[place] !== undefined || types[kind] !== undefined) return false
  return (schema.precise || !isList(column)) && options.length > 0 && options.every(isEnumValue)
}

/** Returns true if it holds several of its options. */
export const isList = ({ kind }: Column) => kindOf(kind).isList

const isEnumValue = (option: string) =>
  /^(?!__)[A-Za-z_]\w*$/.test(option) && !['true', 'false', 'null'].includes(option)
