import { renamedIn } from '../diff/left-alone.js'
import { statementsOf } from '../sql/own-statements.js'
import { readDeclarations } from './declarations.js'

/** A table of SQLite as the statements declare it that made it: a schema of Prisma's says less. */
export interface DeclaredTable {
  /** By name, in lower case: `"code" VARCHAR(5) NOT NULL`. */
  readonly columns: ReadonlyMap<string, string>
  /** `CONSTRAINT long_enough CHECK (length(code) > 1)`, those of columns too. */
  readonly checks: readonly string[]
  /** `UNIQUE (a, b)`, `FOREIGN KEY (p_id) REFERENCES p (id)`: those that the table itself declares. */
  readonly keys: readonly string[]
  readonly isStrict: boolean
}

/** An index of whole columns of all rows. */
export interface DeclaredIndex {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  readonly isUnique: boolean
}

export interface Declared {
  readonly tables: ReadonlyMap<string, DeclaredTable>
  readonly indexes: readonly DeclaredIndex[]
}

interface Reading {
  readonly tables: Map<string, DeclaredTable>
  indexes: readonly DeclaredIndex[]
}

/** Reads the objects of the database after these scripts. */
export function readDeclared(scripts: readonly string[]): Declared {
  const found: Reading = { tables: new Map(), indexes: [] }
  for (const script of scripts) for (const each of statementsOf(script)) run(found, each)
  return found
}

const word = String.raw`(?:"(?:[^"]|"")*"|\`[^\`]*\`|\[[^\]]*\]|\w+)`
const creatingTable = new RegExp(
  String.raw`^CREATE TABLE (?:IF NOT EXISTS )?(${word})\s*(\([^]*\))([^()]*)$`,
  'i',
)
const creatingIndex = new RegExp(
  String.raw`^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?(${word})\s+ON\s+(${word})\s*\(([^()]*)\)$`,
  'i',
)
const altering = new RegExp(String.raw`^ALTER TABLE (${word})\s+([^]*)$`, 'i')
const dropping = new RegExp(String.raw`^DROP (TABLE|INDEX) (?:IF EXISTS )?(${word})$`, 'i')
const renaming = new RegExp(String.raw`^RENAME (?:(?:COLUMN )?(${word}) )?TO (${word})$`, 'i')

function run(found: Reading, statement: string): void {
  const [, made = '', body, after = ''] = creatingTable.exec(statement) ?? []
  if (body !== undefined) {
    const name = unquoted(made)
    const isThere = /^CREATE TABLE IF NOT/i.test(statement) && found.tables.has(name)
    if (!isThere) found.tables.set(name, tableOf(body, after))
    return
  }
  const [, unique, index = '', on = '', list] = creatingIndex.exec(statement) ?? []
  if (list !== undefined) return addIndex(found, unquoted(index), unquoted(on), list, unique)
  const [, kind, dropped = ''] = dropping.exec(statement) ?? []
  if (kind !== undefined) return drop(found, unquoted(dropped))
  const [, altered = '', change = ''] = altering.exec(statement) ?? []
  if (altered !== '') alter(found, unquoted(altered), change)
}

const tableOf = (body: string, after: string): DeclaredTable => {
  const { columns, constraints, keys } = readDeclarations(body)
  return { columns, checks: constraints, keys, isStrict: /\bSTRICT\b/i.test(after) }
}

function addIndex(
  found: Reading,
  name: string,
  table: string,
  list: string,
  unique: string | undefined,
): void {
  const columns = list.split(',').map((each) => each.trim())
  if (!columns.every((each) => new RegExp(`^${word}$`).test(each))) return
  const index = { name, table, columns: columns.map(unquoted), isUnique: unique !== undefined }
  found.indexes = [...found.indexes, index]
}

/** A table or an index: they have no name in common. */
function drop(found: Reading, name: string): void {
  found.tables.delete(name)
  found.indexes = found.indexes.filter((each) => each.name !== name && each.table !== name)
}

function alter(found: Reading, name: string, change: string): void {
  const table = found.tables.get(name)
  if (table === undefined) return
  const [, from, to = ''] = renaming.exec(change) ?? []
  if (to !== '' && from === undefined) return renameTable(found, name, unquoted(to))
  if (to !== '') return renameColumn(found, name, unquoted(from ?? ''), unquoted(to))
  const columns = new Map(table.columns)
  const [, added] = /^ADD (?:COLUMN )?([^]*)$/i.exec(change) ?? []
  if (added !== undefined) {
    const declared = tableOf(`(${added})`, '')
    const checks = [...table.checks, ...declared.checks]
    found.tables.set(name, {
      ...table,
      columns: new Map([...columns, ...declared.columns]),
      checks,
    })
  }
  const [, gone] = /^DROP (?:COLUMN )?(\S[^]*)$/i.exec(change) ?? []
  if (gone !== undefined) {
    columns.delete(unquoted(gone.trim()).toLowerCase())
    found.tables.set(name, { ...table, columns })
  }
}

function renameTable(found: Reading, from: string, to: string): void {
  const table = found.tables.get(from)
  found.tables.delete(from)
  if (table !== undefined) found.tables.set(to, table)
  found.indexes = found.indexes.map((each) => (each.table === from ? { ...each, table: to } : each))
}

function renameColumn(found: Reading, name: string, from: string, to: string): void {
  const table = found.tables.get(name)
  if (table === undefined) return
  const renamed = [...table.columns].map(([column, sql]): [string, string] =>
    column === from.toLowerCase() ? [to.toLowerCase(), renamedIn(sql, from, to)] : [column, sql],
  )
  found.tables.set(name, {
    ...table,
    columns: new Map(renamed),
    checks: table.checks.map((sql) => renamedIn(sql, from, to)),
    keys: table.keys.map((sql) => renamedIn(sql, from, to)),
  })
  found.indexes = found.indexes.map((each) =>
    each.table === name
      ? { ...each, columns: each.columns.map((column) => (column === from ? to : column)) }
      : each,
  )
}

function unquoted(name: string): string {
  if (name.startsWith('"')) return name.slice(1, -1).replaceAll('""', '"')
  return name.startsWith('`') || name.startsWith('[') ? name.slice(1, -1) : name
}
