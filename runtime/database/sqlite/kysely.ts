import type { Statement } from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Observers } from '../observers.js'
import type { RawRow } from '../types.js'
import { type LongReads, SqliteConnection } from './connection.js'
import { openReader } from './handle.js'
import { declaredDecoder, encodeByType } from './values.js'
import type { Writer } from './writer.js'

interface Connections {
  readonly file: string
  /** Null when the database is in memory. */
  readonly reader: SqliteConnection | null
  readonly long: LongReads | null
  readonly writer: Writer
  readonly observers: Observers
}

/** Kysely over the server's own connections: selects run on the reader, all else in turn. */
export function sqliteDialect(on: Connections, dateColumns: readonly string[]): Dialect {
  const readers = rowReaders(new Set(dateColumns))
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => new Session(on, readers),
    releaseConnection: async () => {},
    // Kysely hands back what `acquireConnection` gave.
    beginTransaction: (connection) => (connection as Session).begin(),
    commitTransaction: () => on.writer.commit(),
    rollbackTransaction: () => on.writer.rollback(),
    savepoint: savepoint('SAVEPOINT'),
    rollbackToSavepoint: savepoint('ROLLBACK TO'),
    releaseSavepoint: savepoint('RELEASE'),
    // The connections belong to the Database; `database.close()` closes them.
    destroy: async () => {},
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

const savepoint = (verb: string) => async (connection: DatabaseConnection, name: string) =>
  void (await connection.executeQuery(CompiledQuery.raw(`${verb} "${name.replaceAll('"', '')}"`)))

/** What Kysely takes for a connection: one query, or one transaction and its queries. */
class Session implements DatabaseConnection {
  #inTransaction = false

  constructor(
    readonly on: Connections,
    readonly readers: RowReaders,
  ) {}

  async begin(): Promise<void> {
    await this.on.writer.begin()
    this.#inTransaction = true
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // SQLite has no data-changing statement inside a select, so the kind of the query decides.
    const access = query.query.kind === 'SelectQueryNode' ? 'read' : 'write'
    return this.on.observers.watch({ sql: query.sql, access }, async () => {
      const { reader, writer } = this.on
      if (this.#inTransaction) return this.#run<R>(writer, query)
      if (reader !== null && access === 'read') return this.#read<R>(reader, query)
      return writer.inTurn(() => this.#run<R>(writer, query))
    })
  }

  async #read<R>(reader: SqliteConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    const rows = (await this.on.long?.query(sql, parameters.map(encodeByType))) ?? null
    if (rows === null) return this.#run<R>(reader, query)
    return { rows: rows.map(this.readers(reader.prepare(sql))) as R[] } // the caller typed it
  }

  #run<R>(connection: SqliteConnection, query: CompiledQuery): QueryResult<R> {
    const parameters = query.parameters.map(encodeByType)
    const { statement, rows, changed } = connection.run(query.sql, parameters)
    // The caller typed the query.
    if (changed === undefined) return { rows: rows.map(this.readers(statement)) as R[] }
    const insertId = BigInt(changed.lastInsertRowid)
    return { rows: [], numAffectedRows: BigInt(changed.changes), insertId }
  }

  /**
   * A cursor keeps its connection busy, so each stream has one of its own. It would see neither a
   * database in memory nor the rows of a transaction; those are read whole.
   */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { file, reader } = this.on
    if (reader === null || this.#inTransaction) return void (yield await this.executeQuery(query))
    const connection = new SqliteConnection(openReader(file))
    try {
      const statement = connection.prepare(query.sql)
      const read = this.readers(statement)
      const rows = statement.iterate(query.parameters.map(encodeByType))
      for (const row of rows) yield { rows: [read(row as RawRow) as R] } // as above
    } finally {
      connection.handle.close()
    }
  }
}

type ToObject = (row: RawRow) => unknown
type RowReaders = (statement: Statement) => ToObject

/** Makes objects of a statement's rows. Asking for its columns takes a third of a select by id. */
function rowReaders(dateColumns: ReadonlySet<string>): RowReaders {
  const known = new WeakMap<Statement, ToObject>()
  return (statement) => {
    const reader = known.get(statement) ?? rowReader(statement, dateColumns)
    known.set(statement, reader)
    return reader
  }
}

/** Values are decoded by the types the tables declare. */
function rowReader(statement: Statement, dateColumns: ReadonlySet<string>): ToObject {
  const columns = statement.columns().map((column) => ({
    name: column.name,
    decode: declaredDecoder(column, dateColumns),
  }))
  return (row) => {
    const result: Record<string, unknown> = {}
    columns.forEach(({ name, decode }, at) => {
      const value = row[at]
      result[name] = decode === null || value === null ? value : decode(value)
    })
    return result
  }
}
