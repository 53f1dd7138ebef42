import type { Project } from '../../database/drafts/project.js'
import { quoted } from '../../database/drafts/project.js'

/** Facts of a database about the tables of repositories. Reads, and locks nothing. */
export interface TableFacts {
  readonly table: string
  /** Counted on SQLite; what PostgreSQL last estimated; null: there is no such table, or no estimate. */
  readonly rows: number | null
  /** With its indexes; SQLite does not say. */
  readonly bytes: number | null
  /** Without those of only some rows. */
  readonly indexes: readonly IndexFacts[]
}

interface IndexFacts {
  /** In its order; '' for an expression. */
  readonly columns: readonly string[]
  readonly isUnique: boolean
  /** Begins with a column in descending order, NULL last: PostgreSQL lists those by no other index. */
  readonly isDescending: boolean
}

/** A row for each column, in its order: table, index, column, unique, descending. */
const sqliteIndexes = `SELECT m.name, i.name, c.name, i."unique", 0 FROM sqlite_master m
  JOIN pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
  WHERE m.type = 'table' AND i.partial = 0 ORDER BY i.name, c.seqno`

const postgresIndexes = `SELECT t.relname::text, x.relname::text, a.attname::text, i.indisunique, i.indoption[0] = 1
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
  CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
  LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number > 0
  WHERE t.relnamespace = current_schema()::regnamespace AND i.indisvalid AND i.indpred IS NULL
    AND k.place <= i.indnkeyatts
  ORDER BY i.indexrelid, k.place`

const postgresSizes = `SELECT relname::text, reltuples::float8, pg_total_relation_size(oid)::float8
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`

export async function tableFacts(
  { database }: Pick<Project, 'database'>,
  tables: readonly string[],
): Promise<readonly TableFacts[]> {
  const read = (sql: string) => database.query({ sql, access: 'read' }, [])
  const isSqlite = database.dialect === 'sqlite'
  const indexes = indexesIn(await read(isSqlite ? sqliteIndexes : postgresIndexes))
  const sizes = isSqlite ? await sqliteSizes(read, tables) : await read(postgresSizes)
  return tables.map((table) => {
    const [, rows, bytes = null] = sizes.find(([name]) => name === table) ?? []
    return {
      table,
      rows: rows === undefined || Number(rows) < 0 ? null : Number(rows),
      bytes: bytes === null ? null : Number(bytes),
      indexes: indexes.filter((each) => each.table === table),
    }
  })
}

function indexesIn(rows: readonly (readonly unknown[])[]) {
  const found = new Map<string, IndexFacts & { readonly table: string }>()
  for (const [table, index, column, isUnique, isDescending] of rows) {
    const name = String(index)
    found.set(name, {
      table: String(table),
      columns: [...(found.get(name)?.columns ?? []), column === null ? '' : String(column)],
      isUnique: Boolean(isUnique),
      isDescending: Boolean(isDescending),
    })
  }
  return [...found.values()]
}

type Read = (sql: string) => Promise<readonly (readonly unknown[])[]>

async function sqliteSizes(read: Read, tables: readonly string[]) {
  const there = await read("SELECT name FROM sqlite_master WHERE type = 'table'")
  const found: (readonly unknown[])[] = []
  for (const table of tables.filter((name) => there.some(([known]) => known === name))) {
    const [row] = await read(`SELECT count(*) FROM ${quoted(table)}`)
    found.push([table, row?.[0]])
  }
  return found
}
