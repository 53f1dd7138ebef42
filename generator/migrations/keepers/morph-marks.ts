import { createHash } from 'node:crypto'
import type { OnDelete } from '../../blueprint/types.js'
import type { SchemaFile } from '../schema/schema-file.js'

/**
 * The comment in Prisma's schema for columns that point at records of several tables: above the
 * type column.
 */

export interface Owner {
  /** The value of the type column. */
  readonly key: string
  readonly table: string
  readonly onDelete: OnDelete
}

/** The comment above a type column; the names of its triggers begin with `name`. */
export const morphMark = (name: string, owners: readonly Owner[]): string =>
  `Belongs to ${owners.map(({ key, table, onDelete }) => `'${key}' of ${table} (${onDelete})`).join(', ')}: see the triggers \`${name}*\` in the migrations.`

export const morphTriggers = (table: string, name: string) => shortened(`${table}_${name}_morph`)

const longestName = 63

export function shortened(name: string): string {
  if (name.length <= longestName) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, longestName - 9)}_${hash}`
}

/** The two columns, as the schema has them. */
export interface Morph {
  readonly table: string
  readonly type: string
  readonly id: string
  /** Prisma's type of the id column, e.g. `Int?`. */
  readonly idType: string
  readonly name: string
  /** True for a pivot table, whose rows are deleted with either side. */
  readonly isPivot: boolean
  readonly owners: readonly (Owner & { readonly idType: string })[]
}

/** Held as text, whatever it points at. */
export const isText = ({ idType }: { readonly idType: string }) =>
  /^String\??(?!.*@db\.Uuid)/.test(idType)

const anyMark = /\/\/\/ Belongs to (.*): see the triggers `(.*)\*` in the migrations\.$/m
const anyOwner = /'([^']+)' of (\w+) \((restrict|cascade|setNull)\)/g

export function morphsIn(schema: readonly SchemaFile[]): readonly Morph[] {
  const tables = tablesIn(schema)
  return [...tables].flatMap(([table, model]) => {
    const marks = model.split('\n').flatMap((line, at, lines) => {
      const [, owners = '', name = ''] = anyMark.exec(line) ?? []
      const type = name === '' ? undefined : columnIn(lines.slice(at + 1))
      return type === undefined ? [] : [{ owners, name, type }]
    })
    return marks.map(({ owners, name, type }): Morph => {
      const id = type.replace(/_type$/, '_id')
      return {
        table,
        type,
        id,
        idType: typeIn(model, id),
        name,
        isPivot: new RegExp(`^\\s*@@id\\(\\[${type},`, 'm').test(model),
        owners: [...owners.matchAll(anyOwner)].map(([, key = '', theirs = '', onDelete]) => ({
          key,
          table: theirs,
          onDelete: onDelete as OnDelete, // one of the three of the pattern
          idType: typeIn(tables.get(theirs) ?? '', 'id'),
        })),
      }
    })
  })
}

/** The models, by their tables. */
export function tablesIn(schema: readonly SchemaFile[]): ReadonlyMap<string, string> {
  const models = schema.flatMap(({ content }) => content.split(/^(?=model )/m))
  return new Map(models.map((model) => [/^\s*@@map\("([^"]+)"\)/m.exec(model)?.[1] ?? '', model]))
}

/** The first column of these lines: comments may stand above it. */
const columnIn = (lines: readonly string[]) =>
  /^\s+(\w+)/.exec(lines.find((line) => !/^\s*\/\/\//.test(line)) ?? '')?.[1]

const typeIn = (model: string, column: string) =>
  new RegExp(`^\\s+${column}\\s+(\\S.*)$`, 'm').exec(model)?.[1] ?? ''
