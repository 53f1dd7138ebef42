import type { Project } from '../drafts/project.js'
import { quoted } from '../drafts/project.js'

/** What a database says of the tables that repositories have. Reads, and locks nothing. */
export interface TableFacts {
  readonly table: string
  /** Counted on SQLite; what PostgreSQL last estimated; null: there is no such table, or no estimate. */
  readonly rows: number | null
  /** With its indexes; SQLite does not say. */
  readonly bytes: number | null
  /** Columns that an index begins with. */
  readonly indexed: readonly string[]
}

const sqliteIndexes = `SELECT m.name, c.name FROM sqlite_master m
  JOIN pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
  WHERE m.type = 'table' AND c.seqno = 0 AND c.name IS NOT NULL`

const postgresIndexes = `SELECT t.relname::text, a.attname::text FROM pg_index i
  JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
  WHERE t.relnamespace = current_schema()::regnamespace AND i.indisvalid`

const postgresSizes = `SELECT relname::text, reltuples::float8, pg_total_relation_size(oid)::float8
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`

export async function tableFacts(
  { database }: Pick<Project, 'database'>,
  tables: readonly string[],
): Promise<readonly TableFacts[]> {
  const read = (sql: string) => database.query({ sql, access: 'read' }, [])
  const isSqlite = database.dialect === 'sqlite'
  const pairs = await read(isSqlite ? sqliteIndexes : postgresIndexes)
  const sizes = isSqlite ? await sqliteSizes(read, tables) : await read(postgresSizes)
  return tables.map((table) => {
    const [, rows, bytes = null] = sizes.find(([name]) => name === table) ?? []
    return {
      table,
      rows: rows === undefined || Number(rows) < 0 ? null : Number(rows),
      bytes: bytes === null ? null : Number(bytes),
      indexed: pairs.filter(([name]) => name === table).map(([, column]) => String(column)),
    }
  })
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
