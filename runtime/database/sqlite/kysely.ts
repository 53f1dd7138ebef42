import type { Statement as PreparedStatement } from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { BoundedCache } from './bounded-cache.js'
import type { Mutex } from './mutex.js'
import type { Observers } from '../observers.js'
import { mapSqliteError } from './errors.js'
import { openReader, type Handle } from './handle.js'
import { decoders, encode, type Decode } from './values.js'
import type { Statement } from '../types.js'

export interface SqliteKyselyOptions {
  /**
   * `table.column` of calendar dates: read as `2026-02-03`. SQLite declares them like points in
   * time, so they must be named.
   */
  readonly dateColumns?: readonly string[]
}

export interface SqliteConnections {
  readonly file: string
  readonly inMemory: boolean
  readonly writer: Handle
  readonly reader: Handle
  readonly writes: Mutex
  readonly observers: Observers
  /** Runs on the write connection, waiting for another process that writes. */
  readonly attempt: <T>(work: () => T) => Promise<T>
}

interface Prepared {
  readonly query: PreparedStatement
  readonly columns: readonly string[]
  readonly decode: readonly (Decode | null)[]
}

/**
 * Kysely over the server's own connections: selects run on the reader, everything else takes its
 * turn at writing.
 */
export function sqliteDialect(on: SqliteConnections, options: SqliteKyselyOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(on, new Set(options.dateColumns)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

interface Session extends DatabaseConnection {
  readonly begin: () => Promise<void>
  readonly end: (sql: 'COMMIT' | 'ROLLBACK') => Promise<void>
}

function createDriver(on: SqliteConnections, dates: ReadonlySet<string>): Driver {
  const prepareRead = preparer(on.reader, dates)
  const prepareWrite = on.inMemory ? prepareRead : preparer(on.writer, dates)
  const open = () => openSession(on, prepareRead, prepareWrite)
  // Kysely hands back what `acquireConnection` gave.
  const session = (connection: DatabaseConnection) => connection as Session
  const savepoint = (verb: string) => async (connection: DatabaseConnection, name: string) =>
    void (await connection.executeQuery(CompiledQuery.raw(`${verb} "${name.replaceAll('"', '')}"`)))
  return {
    init: async () => {},
    acquireConnection: async () => open(),
    releaseConnection: async () => {},
    beginTransaction: (connection) => session(connection).begin(),
    commitTransaction: (connection) => session(connection).end('COMMIT'),
    rollbackTransaction: (connection) => session(connection).end('ROLLBACK'),
    savepoint: savepoint('SAVEPOINT'),
    rollbackToSavepoint: savepoint('ROLLBACK TO'),
    releaseSavepoint: savepoint('RELEASE'),
    // The connections belong to the Database; `database.close()` closes them.
    destroy: async () => {},
  }
}

type Prepare = ReturnType<typeof preparer>

function preparer(handle: Handle, dates: ReadonlySet<string>) {
  const known = new BoundedCache<string, Prepared>(200)
  return (sql: string): Prepared => {
    const found = known.get(sql)
    if (found !== undefined) return found
    const query = handle.prepare(sql)
    const columns = query.reader ? query.raw(true).columns() : []
    const fresh = {
      query,
      columns: columns.map((column) => column.name),
      decode: decoders(columns, dates),
    }
    known.set(sql, fresh)
    return fresh
  }
}

function openSession(on: SqliteConnections, prepareRead: Prepare, prepareWrite: Prepare): Session {
  let inTransaction = false

  async function write(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const work = () => execute(prepareWrite(query.sql), query.parameters)
    return inTransaction ? work() : on.writes.run(() => on.attempt(work))
  }

  async function run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    try {
      if (inTransaction || on.inMemory || !isRead(query)) return await write(query)
      return execute(prepareRead(query.sql), query.parameters)
    } catch (error) {
      throw mapSqliteError(error)
    }
  }

  async function end(sql: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (sql === 'COMMIT') on.writer.exec(sql)
    else if (on.writer.inTransaction) on.writer.exec(sql)
    inTransaction = false
    on.writes.release()
  }

  return {
    // Kysely leaves the row type to its caller, which typed the query.
    executeQuery: async <R>(query: CompiledQuery) =>
      (await on.observers.watch(describe(query), () => run(query))) as QueryResult<R>,
    streamQuery: <R>(query: CompiledQuery, chunkSize?: number) =>
      stream<R>(on, query, chunkSize ?? 100),
    begin: async () => {
      await on.writes.acquire()
      try {
        await on.attempt(() => on.writer.exec('BEGIN IMMEDIATE'))
        inTransaction = true
      } catch (error) {
        on.writes.release()
        throw error
      }
    },
    end,
  }
}

/** SQLite has no data-changing statement inside a select, so the kind of the query decides. */
const isRead = (query: CompiledQuery) => query.query.kind === 'SelectQueryNode'

const describe = (query: CompiledQuery): Statement => ({
  sql: query.sql,
  access: isRead(query) ? 'read' : 'write',
})

function execute(prepared: Prepared, parameters: readonly unknown[]): QueryResult<unknown> {
  const values = parameters.map(encode)
  if (!prepared.query.reader) {
    const { changes, lastInsertRowid } = prepared.query.run(values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
  // Raw rows are arrays, which the driver's types do not say.
  const rows = prepared.query.all(values) as unknown[][]
  return { rows: rows.map((row) => toObject(prepared, row)) }
}

function toObject(prepared: Prepared, row: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  prepared.columns.forEach((column, index) => {
    const decode = prepared.decode[index]
    const value = row[index]
    result[column] = decode && value !== null ? decode(value) : value
  })
  return result
}

/**
 * A cursor keeps its connection busy, so each stream has one of its own; a database in memory is
 * read whole.
 */
async function* stream<R>(
  on: SqliteConnections,
  query: CompiledQuery,
  chunkSize: number,
): AsyncIterableIterator<QueryResult<R>> {
  const handle = on.inMemory ? on.writer : openReader(on.file)
  try {
    const prepared = preparer(handle, new Set())(query.sql)
    const values = query.parameters.map(encode)
    const rows = on.inMemory ? prepared.query.all(values) : prepared.query.iterate(values)
    let chunk: R[] = []
    for (const row of rows) {
      // Raw rows are arrays; the caller typed what they become.
      chunk.push(toObject(prepared, row as unknown[]) as R)
      if (chunk.length < chunkSize) continue
      yield { rows: chunk }
      chunk = []
    }
    if (chunk.length > 0) yield { rows: chunk }
  } finally {
    if (!on.inMemory) handle.close()
  }
}
