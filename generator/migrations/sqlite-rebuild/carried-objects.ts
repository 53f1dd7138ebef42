import { isTrigger } from '../diff/left-alone.js'
import type { SqlObject } from '../sql/sql-objects.js'
import { namesWord, type CarriedColumns, type TableChange } from './carried-columns.js'
import type { Declared, DeclaredIndex } from './declared.js'

interface Known {
  readonly declared: Declared
  /** Objects of the schema from before. */
  readonly objects: readonly SqlObject[]
}

/** Statements behind a table that was built anew. */
interface CarriedObjects {
  /** Objects that are lost: the migration knows of them. */
  readonly drops: readonly string[]
  readonly statements: readonly string[]
  readonly triggers: readonly string[]
  readonly leaves: readonly string[]
}

/** Indexes and triggers that the schema does not say. */
export function carriedObjects(
  change: TableChange,
  columns: CarriedColumns,
  { sql, declared, objects }: Known & { readonly sql: string },
): CarriedObjects {
  const { table, own, known, gone } = change
  const all = new Set([...known, ...columns.left.map(({ name }) => name)])
  const found = { drops: [] as string[], statements: [] as string[], triggers: [] as string[] }
  const leaves: string[] = []
  const drop = (kind: string, name: string, lost: string) => {
    found.drops.push(`DROP ${kind.toUpperCase()} IF EXISTS ${quoted(name)};\n`)
    leaves.push(`leaves out the ${kind} '${name}' of '${table}', which names '${lost}'`)
  }
  for (const each of own) {
    if (each.is !== 'statement') continue
    const lost = gone.find((name) => namesColumn(each.sql, name))
    const trigger = isTrigger(each.sql)
    if (lost !== undefined) drop(trigger ? 'trigger' : 'index', nameOf(each.sql), lost)
    else (trigger ? found.triggers : found.statements).push(`${each.sql};\n`)
  }
  for (const each of declared.indexes) {
    if (each.table !== table || isMade(sql, each)) continue
    const lost = each.columns.find((name) => !all.has(name))
    const isOfSchema = objects.some((object) => isSame(indexOf(object), each))
    if (isOfSchema) found.drops.push(`DROP INDEX IF EXISTS ${quoted(each.name)};\n`)
    else if (lost !== undefined) drop('index', each.name, lost)
    else found.statements.push(indexSql(each))
  }
  const keys = keysOf(change)
    .filter((key) => key.columns.every((name) => all.has(name)) && !isMade(sql, key))
    .filter((key) => !declared.indexes.some((each) => isSame(each, key)))
  return { ...found, statements: [...keys.map(indexSql), ...found.statements], leaves }
}

/** Unique keys that the table itself declares become indexes. */
const keysOf = ({ table, own }: TableChange): readonly DeclaredIndex[] =>
  own.flatMap((each) => {
    if (each.is !== 'unique' && each.is !== 'index') return []
    const isUnique = each.is === 'unique'
    const name = [table, ...each.columns, isUnique ? 'key' : 'idx'].join('_')
    return [{ name, table, columns: each.columns, isUnique }]
  })

const anyIndex =
  /\b(DROP INDEX (?:IF EXISTS )?|CREATE (UNIQUE )?INDEX )"((?:[^"]|"")+)"(?: ON "([^"]+)"\(([^()]*)\))?;/g

/** The engine calls an index by its table and columns; one that was there keeps the name it has. */
export function withRealNames(sql: string, { declared, objects }: Known): string {
  const realName = (index: DeclaredIndex | null) => {
    if (index === null || declared.indexes.some(({ name }) => name === index.name)) return null
    return declared.indexes.find((each) => isSame(each, index))?.name ?? null
  }
  return sql.replaceAll(anyIndex, (all, ...parts: (string | undefined)[]) => {
    const [what = '', unique, name = '', table, list = ''] = parts
    const columns = [...list.matchAll(/"([^"]+)"/g)].map(([, column = '']) => column)
    const isWhole = list === columns.map(quoted).join(', ')
    const made =
      table === undefined
        ? indexOf(objects.find((each) => each.kind === 'index' && each.name === name))
        : isWhole && sql.includes(`ALTER TABLE "new_${table}" RENAME TO`)
          ? { name, table, columns, isUnique: unique !== undefined }
          : null
    const real = realName(made)
    return real === null ? all : all.replace(`${what}"${name}"`, () => `${what}${quoted(real)}`)
  })
}

function indexOf(object: SqlObject | undefined): DeclaredIndex | null {
  if (object?.kind !== 'index') return null
  const { name, table, columns } = object
  return { name, table, columns, isUnique: object.sql.startsWith('CREATE UNIQUE') }
}

const isSame = (one: DeclaredIndex | null, other: DeclaredIndex) =>
  one?.table === other.table &&
  one.isUnique === other.isUnique &&
  one.columns.join('\n') === other.columns.join('\n')

/** In the engine's words. */
const isMade = (sql: string, { table, columns, isUnique }: DeclaredIndex) =>
  sql
    .split('\n')
    .some(
      (line) =>
        line.startsWith(isUnique ? 'CREATE UNIQUE INDEX ' : 'CREATE INDEX ') &&
        line.endsWith(`" ON ${quoted(table)}(${columns.map(quoted).join(', ')});`),
    )

const indexSql = ({ name, table, columns, isUnique }: DeclaredIndex) =>
  `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quoted(name)} ON ${quoted(table)}(${columns.map(quoted).join(', ')});\n`

/** A trigger names many tables, and of its own it says so. */
const namesColumn = (sql: string, name: string) => {
  if (!isTrigger(sql)) return namesWord(sql.replace(/^[^]*?\bON\b[^(]*/i, ''), name)
  const rows = sql.match(/\b(?:NEW|OLD)\s*\.\s*(?:"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)/gi) ?? []
  const [of = ''] = /\bUPDATE\s+OF\s+[^]*?\bON\b/i.exec(sql) ?? []
  return [of, ...rows.map((row) => row.replace(/^[^.]*\./, ''))].some((each) =>
    namesWord(each, name),
  )
}

const nameOf = (sql: string) =>
  /\b(?:INDEX|TRIGGER)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:["`[]([^"`\]]+)|(\w+))/i
    .exec(sql)
    ?.slice(1)
    .find((each) => each !== undefined) ?? ''

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
