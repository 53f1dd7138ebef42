import { checkDefault } from '../../blueprint/defaults.js'
import { FIELD_KINDS } from '../../blueprint/field-kinds.js'
import type { Finding } from '../../blueprint/problems.js'
import type { Blueprint, Column, Database, Json } from '../../blueprint/types.js'
import { defaultLiteral } from './columns.js'
import { setDefault } from './datamodel.js'
import { diffSql, buildSql, type SchemaDiff, type SchemaFile } from './engine.js'
import type { Losses } from './losses.js'
import { readTables } from './sql-tables.js'

/** What rows that exist get in a column that asks for a value, and has no default for those to come. */
export interface Fill {
  readonly table: string
  readonly column: string
  readonly value: Json
  /** As Prisma writes a default. */
  readonly literal: string
}

/** A column that rows may have no value for. */
export interface Asking {
  readonly table: string
  readonly column: string
}

/** Thrown when a value does not fit its column; says why. */
export class WrongFill extends Error {}

/** `posts.slug=none`, as the command line says it. */
export function readFill(text: string, blueprint: Blueprint): Fill {
  const [, table = '', name = '', value = ''] = /^([\w-]+)\.([\w-]+)=([^]*)$/.exec(text) ?? []
  const column = columnOf(blueprint, table, name)
  if (column === undefined) {
    throw new WrongFill(`--fill '${text}' names no column: write --fill <table>.<column>=<value>.`)
  }
  return fillOf(blueprint.database, table, column, parsed(column, value))
}

function columnOf({ entities, pivots }: Blueprint, table: string, name: string) {
  const columns =
    entities.find((entity) => entity.table === table)?.columns ??
    pivots.find((pivot) => pivot.table === table)?.fields
  return columns?.find((column) => column.name === name)
}

function parsed({ kind }: Column, text: string): unknown {
  const { storage } = FIELD_KINDS[kind]
  if (!['integer', 'float', 'boolean', 'json'].includes(storage)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fillOf(database: Database, table: string, column: Column, value: unknown): Fill {
  const findings: Finding[] = []
  const what = `'${column.name}' of '${table}'`
  const place = { at: [], what, report: (finding: Finding) => void findings.push(finding) }
  const { folded: _, ...definition } = column
  const read = checkDefault({ ...definition, default: value }, place)
  if (read === undefined) throw new WrongFill(`${findings[0]?.message ?? what}.`)
  return {
    table,
    column: column.name,
    value: read,
    literal: defaultLiteral(column, read, database),
  }
}

const mark = /^-- Fill: (\w+)\.(\w+) = (.*)$/gm

const markOf = ({ table, column, value }: Fill) =>
  `-- Fill: ${table}.${column} = ${JSON.stringify(value)}\n`

/** The fills that scripts were made with; those whose column is gone or takes other values now are forgotten. */
export function fillsIn(scripts: readonly string[], blueprint: Blueprint): readonly Fill[] {
  return scripts.flatMap((sql) =>
    [...sql.matchAll(mark)].flatMap(([, table = '', name = '', text = '']) => {
      const column = columnOf(blueprint, table, name)
      if (column === undefined) return []
      try {
        return [fillOf(blueprint.database, table, column, JSON.parse(text))]
      } catch {
        return []
      }
    }),
  )
}

/**
 * The SQL between two schemas in which columns that become required are filled where rows have no value. Prisma's engine
 * writes that itself for a column with a default: so it is given one, and taken away again.
 */
export async function diffFilled(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  fills: readonly Fill[],
): Promise<SchemaDiff> {
  const plain = await diffSql(database, [from], to)
  const { required } = plain.losses
  if (required.length === 0) return plain
  const due = fills.filter((fill) => required.some((each) => isSame(fill, each)))
  const filled = to.map(({ path, content }) => ({ path, content: due.reduce(setDefault, content) }))
  const [first, second] =
    due.length === 0
      ? [plain, { sql: '' }]
      : [await diffSql(database, [from], filled), await diffSql(database, filled, to)]
  const sql = [
    due.map(markOf).join(''),
    await updates(from, filled, plain.losses),
    first.sql,
    second.sql,
  ]
  const left = required.filter((each) => !due.some((fill) => isSame(fill, each)))
  const losses = { ...plain.losses, required: left.filter(({ hasDefault }) => !hasDefault) }
  return { sql: sql.filter((text) => text !== '').join('\n'), changed: true, losses }
}

const isSame = (one: Asking, other: Asking) =>
  one.table === other.table && one.column === other.column

/** For columns that were there, and could be empty. */
async function updates(
  from: SchemaFile,
  to: readonly SchemaFile[],
  { required, changed }: Losses,
): Promise<string> {
  const [before, after] = [readTables(await buildSql([from])), readTables(await buildSql(to))]
  const lines = required.flatMap(({ table, column }) => {
    const isNew = before.get(table)?.columns.has(column) !== true
    const isAnew = changed.some((each) => each.isEmptied && isSame(each, { table, column }))
    const value = after.get(table)?.columns.get(column)?.default ?? null
    if (isNew || isAnew || value === null) return []
    return [`UPDATE "${table}" SET "${column}" = ${value} WHERE "${column}" IS NULL;\n`]
  })
  return lines.join('')
}
