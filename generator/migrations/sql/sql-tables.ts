/** Tables as the engine's own `CREATE` statements describe them. */
export interface SqlTable {
  readonly columns: ReadonlyMap<string, SqlColumn>
  /** Column lists of unique indexes; `uniqueNames` reads them. */
  readonly uniques: ReadonlySet<string>
  /** Columns that refer to a row. */
  readonly foreign: ReadonlySet<string>
}

export interface SqlColumn {
  readonly type: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
  /** As it stands in the script; null: none, or made by the database. */
  readonly default: string | null
}

/** Reads a script that builds a database from nothing. */
export function readTables(sql: string): ReadonlyMap<string, SqlTable> {
  const tables = new Map<
    string,
    { columns: Map<string, SqlColumn>; uniques: Set<string>; foreign: Set<string> }
  >()
  for (const statement of splitOutside(sql, ';')) {
    const table = /CREATE TABLE "(?<name>[^"]+)" \((?<body>[^]*)\)\s*$/.exec(statement)?.groups
    if (table !== undefined) {
      const columns = splitOutside(table['body'] ?? '', ',').flatMap(readColumn)
      const empty = { uniques: new Set<string>(), foreign: new Set<string>() }
      tables.set(table['name'] ?? '', { columns: new Map(columns), ...empty })
    }
    // SQLite names them in the table, PostgreSQL afterwards.
    const owner = table?.['name'] ?? /ALTER TABLE "([^"]+)"/.exec(statement)?.[1] ?? ''
    for (const [, column = ''] of statement.matchAll(/FOREIGN KEY \("([^"]+)"\)/g)) {
      tables.get(owner)?.foreign.add(column)
    }
    const unique = /CREATE UNIQUE INDEX "[^"]+" ON "(?<table>[^"]+)"\((?<columns>.*)\)/.exec(
      statement,
    )
    const columns = unique?.groups?.['columns']?.replaceAll(/"(\w+)"/g, '$1') ?? ''
    tables.get(unique?.groups?.['table'] ?? '')?.uniques.add(columns)
  }
  return tables
}

/** `sku, "Order Date"`: only what is no word is in quotes. */
export const uniqueNames = (list: string): readonly string[] =>
  (list.match(/"[^"]+"|[^", ]+/g) ?? []).map((name) => name.replaceAll('"', ''))

/** `table.column` of each `ALTER TABLE … DROP COLUMN`. */
export function readDroppedColumns(sql: string): ReadonlySet<string> {
  const dropped = splitOutside(sql, ';').flatMap((statement) => {
    const table = /ALTER TABLE "([^"]+)"/.exec(statement)?.[1] ?? ''
    return [...statement.matchAll(/DROP COLUMN "([^"]+)"/g)].map(
      ([, column]) => `${table}.${column}`,
    )
  })
  return new Set(dropped)
}

/** The CHECK of a decimal on SQLite. */
const check = / CHECK \(.*\)$/

function readColumn(line: string): [string, SqlColumn][] {
  const found =
    /^\s*"(?<name>[^"]+)" (?<type>.+?)(?= NOT NULL| DEFAULT | PRIMARY KEY|$)(?<rest>[^]*)$/.exec(
      line.replace(check, ''),
    )
  if (found?.groups === undefined) return []
  const { name = '', type = '', rest = '' } = found.groups
  const isGenerated = type.includes('SERIAL') || rest.includes('AUTOINCREMENT')
  const hasDefault = rest.includes(' DEFAULT ') || isGenerated
  const given = /\sDEFAULT ([^]+?)\s*$/.exec(rest)?.[1] ?? null
  return [[name, { type, isRequired: rest.includes('NOT NULL'), hasDefault, default: given }]]
}

/** Splits where the separator stands outside quotes and parentheses. */
export function splitOutside(sql: string, separator: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let quote = ''
  for (let at = 0; at < sql.length; at++) {
    const character = sql.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === separator && depth === 0) {
      parts.push(sql.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, sql.slice(start)]
}
