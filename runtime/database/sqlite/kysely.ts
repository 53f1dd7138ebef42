import type { ColumnDefinition, Statement } from 'better-sqlite3'
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
import type { Decode } from '../../kinds/kind.js'
import type { Observers } from '../observers.js'
import { checkInside } from '../transaction.js'
import type { RawRow } from '../types.js'
import { type LongReads, SqliteConnection } from './connection.js'
import { mapSqliteError } from './errors.js'
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

/** `table.column` of what SQLite's types do not tell. */
export interface NamedColumns {
  readonly dateColumns?: readonly string[]
  readonly bigColumns?: readonly string[]
}

/** Kysely over the server's own connections: selects run on the reader, all else in turn. */
export function sqliteDialect(
  on: Connections,
  named: NamedColumns,
  isInside: (() => boolean) | null = null,
): Dialect {
  const readers = rowReaders(named)
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => new Session(on, readers, isInside),
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

/** A connection for Kysely: one query, or one transaction and its queries. */
class Session implements DatabaseConnection {
  #inTransaction = false

  constructor(
    readonly on: Connections,
    readonly readers: RowReaders,
    /** Null: of no transaction that is open already; else whether that still is. */
    readonly isInside: (() => boolean) | null,
  ) {}

  async begin(): Promise<void> {
    if (this.isInside !== null) checkInside('begin', this.isInside())
    await this.on.writer.begin()
    this.#inTransaction = true
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // SQLite has no data-changing statement inside a select, so the kind of the query decides.
    const access = query.query.kind === 'SelectQueryNode' ? 'read' : 'write'
    return this.on.observers.watch({ sql: query.sql, access }, async () => {
      const { reader, writer } = this.on
      if (this.isInside !== null) checkInside(query.sql, this.isInside())
      if (this.#inTransaction || this.isInside !== null) return this.#run<R>(writer, query)
      if (reader !== null && access === 'read') return this.#read<R>(reader, query)
      return writer.inTurn(query.sql, () => this.#run<R>(writer, query))
    })
  }

  async #read<R>(reader: SqliteConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    // Threads read numbers as they come.
    if (this.readers.areExact(reader, sql)) return this.#run<R>(reader, query)
    const rows = (await this.on.long?.query(sql, parameters.map(encodeByType))) ?? null
    if (rows === null) return this.#run<R>(reader, query)
    return { rows: rows.map(this.readers.of(reader.prepare(sql))) as R[] } // the caller typed it
  }

  #run<R>(connection: SqliteConnection, query: CompiledQuery): QueryResult<R> {
    const parameters = query.parameters.map(encodeByType)
    this.readers.areExact(connection, query.sql)
    const { statement, rows, changed } = connection.run(query.sql, parameters)
    // The caller typed the query.
    if (changed === undefined) return { rows: rows.map(this.readers.of(statement)) as R[] }
    const insertId = BigInt(changed.lastInsertRowid)
    return { rows: [], numAffectedRows: BigInt(changed.changes), insertId }
  }

  /**
   * A cursor keeps its connection busy, so each stream has one of its own. It would see neither a
   * database in memory nor the rows of a transaction; those are read whole.
   */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { file, reader } = this.on
    if (reader === null || this.#inTransaction || this.isInside !== null)
      return void (yield await this.executeQuery(query))
    const connection = new SqliteConnection(openReader(file))
    try {
      this.readers.areExact(connection, query.sql)
      const statement = connection.prepare(query.sql)
      const read = this.readers.of(statement)
      const rows = statement.iterate(query.parameters.map(encodeByType))
      for (const row of rows) yield { rows: [read(row as RawRow) as R] } // as above
    } finally {
      connection.handle.close()
    }
  }
}

type ToObject = (row: RawRow) => unknown

interface RowReaders {
  of(statement: Statement): ToObject
  /**
   * Returns true if a statement reads columns of 64 bits: the driver gives it all digits from now
   * on.
   */
  areExact(connection: SqliteConnection, sql: string): boolean
}

/** Makes objects of a statement's rows. Asking for its columns takes a third of a select by id. */
function rowReaders({ dateColumns = [], bigColumns = [] }: NamedColumns): RowReaders {
  const [days, big] = [new Set(dateColumns), new Set(bigColumns)]
  const known = new WeakMap<Statement, ToObject>()
  const exact = new WeakMap<Statement, boolean>()
  const isExact = (statement: Statement): boolean => {
    const found = exact.get(statement) ?? readsBig(statement, big)
    if (!exact.has(statement) && found) statement.safeIntegers(true)
    exact.set(statement, found)
    return found
  }
  return {
    of: (statement) => {
      const isBig = exact.get(statement) === true
      const reader = known.get(statement) ?? rowReader(statement, days, isBig ? big : null)
      known.set(statement, reader)
      return reader
    },
    // A project without them asks nothing of its statements.
    areExact: (connection, sql) => big.size > 0 && isExact(prepared(connection, sql)),
  }
}

function prepared(connection: SqliteConnection, sql: string): Statement {
  try {
    return connection.prepare(sql)
  } catch (error) {
    throw mapSqliteError(error)
  }
}

const readsBig = (statement: Statement, big: ReadonlySet<string>): boolean =>
  statement.reader &&
  statement.columns().some((column) => big.has(`${column.table}.${column.column}`))

/** Values are decoded by the types the tables declare. `big`: columns of 64 bits, where the driver gives all digits. */
function rowReader(
  statement: Statement,
  days: ReadonlySet<string>,
  big: ReadonlySet<string> | null,
): ToObject {
  const columns = statement.columns().map((column) => ({
    name: column.name,
    decode: big === null ? declaredDecoder(column, days) : exactDecoder(column, days, big),
  }))
  return (row) => {
    const result: Record<string, unknown> = {}
    columns.forEach(({ name, decode }, at) => {
      const value = row[at]
      // A value that no decoder can read is passed to your code as it is stored.
      result[name] = decode === null || value === null ? value : (decode(value) ?? value)
    })
    return result
  }
}

/** Whole numbers come as BigInt: those of 64 bits are text, the others numbers as ever. */
function exactDecoder(
  column: ColumnDefinition,
  days: ReadonlySet<string>,
  big: ReadonlySet<string>,
): Decode {
  if (big.has(`${column.table}.${column.column}`)) return String
  const decode = declaredDecoder(column, days)
  return (stored) => {
    const value = typeof stored === 'bigint' ? Number(stored) : stored
    return decode === null ? value : (decode(value) ?? value)
  }
}
