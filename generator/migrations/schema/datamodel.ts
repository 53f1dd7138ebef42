/**
 * Names of a datamodel's tables and columns, read from its text; `base.prisma` is all that is left
 * of an earlier schema.
 */
export type Names = ReadonlyMap<string, ReadonlySet<string>>

/** A name that changed; `table` is the table's name of today. */
export interface Renamed {
  readonly table: string
  /** Null: the table itself. */
  readonly column: { readonly from: string; readonly to: string } | null
  /** The former name of the table; the same when only a column was renamed. */
  readonly from: string
}

/** Tables and their columns. */
export function readNames(text: string): Names {
  const models = modelsOf(text)
  const types = new Set(models.map(({ name }) => name))
  return new Map(
    models.map(({ table, lines }) => [
      table,
      new Set(lines.flatMap((line) => columnOf(line, types) ?? [])),
    ]),
  )
}

/** Reads the columns of the models' fields, by table. */
export const readColumns = (text: string): ReadonlyMap<string, ReadonlyMap<string, string>> =>
  eachColumn(text, (line, column) => [field.exec(line)?.[2] ?? '', column])

/** Names of models by their tables. */
export const readModels = (text: string): ReadonlyMap<string, string> =>
  new Map(modelsOf(text).map(({ table, name }) => [table, name]))

/** Reads the targets of foreign keys: a table by `table.column`. */
export function readReferences(text: string): ReadonlyMap<string, string> {
  const models = modelsOf(text)
  const tables = new Map(models.map(({ name, table }) => [name, table]))
  const types = new Set(tables.keys())
  return new Map(
    models.flatMap(({ table, lines }) =>
      lines.flatMap((line) => {
        const [, type = '', own = ''] =
          /^\s+\w+\s+(\w+)\??\s+@relation\(.*fields: \[(\w+)\]/.exec(line) ?? []
        const field = lines.find((each) => new RegExp(`^\\s+${own}\\s`).test(each)) ?? ''
        const target = tables.get(type)
        const column = own === '' ? null : columnOf(field, types)
        return column === null || target === undefined
          ? []
          : [[`${table}.${column}`, target] as const]
      }),
    ),
  )
}

/** Returns the datamodel with other names in the database; models and fields keep theirs. */
export function renameIn(text: string, { table, column, from }: Renamed): string {
  const models = modelsOf(text)
  const types = new Set(models.map(({ name }) => name))
  const found = models.find((model) => model.table === from)
  if (found === undefined) return text
  const lines = text.split('\n')
  const body = lines.slice(found.start, found.end)
  const renamed =
    column === null
      ? mapModel(body, table)
      : body.map((line) =>
          columnOf(line, types) === column.from
            ? mapField(line, column.to)
            : line.replace(foldedMark, (mark, source: string) =>
                source === column.from ? mark.replace(source, () => column.to) : mark,
              ),
        )
  return [...lines.slice(0, found.start), ...renamed, ...lines.slice(found.end)].join('\n')
}

/** Behind a column that holds the text of another one, folded. */
const foldedMark = /\/\/ folded (.+)$/

/** A column as its field says it. */
export interface SchemaField {
  /** `String?` */
  readonly type: string
  readonly attributes: string
  /** The comment behind it, or ''. */
  readonly mark: string
}

/** Fields that are columns, by table and column. */
export const readFields = (text: string): ReadonlyMap<string, ReadonlyMap<string, SchemaField>> =>
  eachColumn(text, (line, column) => [column, fieldOf(line)])

/** Maps the line of each column, by table. */
function eachColumn<Value>(
  text: string,
  entryOf: (line: string, column: string) => readonly [string, Value],
): ReadonlyMap<string, ReadonlyMap<string, Value>> {
  const models = modelsOf(text)
  const types = new Set(models.map(({ name }) => name))
  const entries = (line: string) => {
    const column = columnOf(line, types)
    return column === null ? [] : [entryOf(line, column)]
  }
  return new Map(models.map(({ table, lines }) => [table, new Map(lines.flatMap(entries))]))
}

function fieldOf(line: string): SchemaField {
  const [, , , , type = '', rest = ''] = field.exec(line) ?? []
  const [attributes = '', mark = ''] = partsOf(rest)
  return { type, attributes, mark }
}

/** Text in quotes is no comment. */
function partsOf(rest: string): readonly [string, string] {
  const found = /^((?:"(?:[^"\\]|\\.)*"|(?!\/\/)[^"])*)(?:\/\/(.*))?$/.exec(rest)
  return [(found?.[1] ?? rest).trim(), (found?.[2] ?? '').trim()]
}

/** Returns the datamodel with another type and attributes for one column, whose name stays. */
export function changeField(
  text: string,
  { table, column }: { readonly table: string; readonly column: string },
  change: (field: SchemaField) => Pick<SchemaField, 'type' | 'attributes'>,
): string {
  const models = modelsOf(text)
  const types = new Set(models.map(({ name }) => name))
  const found = models.find((model) => model.table === table)
  if (found === undefined) return text
  const changed = (line: string, at: number) => {
    if (at < found.start || at >= found.end || columnOf(line, types) !== column) return line
    const { mark, ...before } = fieldOf(line)
    const { type, attributes } = change({ ...before, mark })
    const [indent = '', name = ''] = field.exec(line)?.slice(1) ?? []
    return `${indent}${name} ${type} ${attributes} ${mark === '' ? '' : `// ${mark}`}`.trimEnd()
  }
  return text.split('\n').map(changed).join('\n')
}

/** Returns the datamodel with a default for one column. */
export const setDefault = (
  text: string,
  { literal, ...place }: { table: string; column: string; literal: string },
): string =>
  changeField(text, place, ({ type, attributes }) => {
    return { type, attributes: `@default(${literal}) ${attributes.replace(anyDefault, '')}` }
  })

/** Returns the datamodel with another type for one column, which may be NULL as before. */
export const setType = (
  text: string,
  { type, ...place }: { table: string; column: string; type: string },
): string =>
  changeField(text, place, ({ type: old, attributes }) => {
    return { type: `${type}${old.endsWith('?') ? '?' : ''}`, attributes }
  })

const anyDefault = /@default\((?:"(?:[^"\\]|\\.)*"|[^()"]|\((?:"(?:[^"\\]|\\.)*"|[^()"])*\))*\)/

export interface Model {
  readonly name: string
  readonly table: string
  readonly lines: readonly string[]
  /** Lines of the body: the first, and the one after the last. */
  readonly start: number
  readonly end: number
}

export function modelsOf(text: string): readonly Model[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const name = /^model\s+(\w+)\s*\{/.exec(line)?.[1]
    if (name === undefined) return []
    const end = endOf(lines, at + 1)
    const body = lines.slice(at + 1, end)
    const table = body.flatMap((each) => /^\s*@@map\("([^"]+)"\)/.exec(each)?.[1] ?? [])[0]
    return [{ name, table: table ?? name, lines: body, start: at + 1, end }]
  })
}

/** Without a copy of the lines that follow: there may be thousands of models. */
function endOf(lines: readonly string[], start: number): number {
  let at = start
  while (at < lines.length && lines[at]?.startsWith('}') !== true) at += 1
  return at
}

const field = /^(\s+)(\w+)(\s+)(\w+(?:\[\]|\?)?)(.*)$/
const mapped = /\s@map\("([^"]+)"\)/

/** Null: no column, but the client's name for the other end of a foreign key. */
export function columnOf(line: string, models: ReadonlySet<string>): string | null {
  const [, , name, , type = '', rest = ''] = field.exec(line) ?? []
  if (name === undefined || models.has(type.replace(/\W+$/, ''))) return null
  return mapped.exec(rest)?.[1] ?? name
}

function mapModel(body: readonly string[], table: string): readonly string[] {
  return [...body.filter((line) => !/^\s*@@map\(/.test(line)), `  @@map("${table}")`]
}

function mapField(line: string, column: string): string {
  return line.replace(field, (_, ...parts: string[]) => {
    const [indent = '', name = '', space = '', type = '', rest = ''] = parts
    return `${indent}${name}${space}${type} @map("${column}")${rest.replace(mapped, '')}`
  })
}
