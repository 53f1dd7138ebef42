import { PostgresDialect, type Dialect, type PostgresPool, type PostgresQueryResult } from 'kysely'
import type { Pool } from 'pg'
import type { Observers } from '../observers.js'
import { isSelect } from '../types.js'
import { mapPostgresError } from './errors.js'
import { connect } from './statements.js'
import { encodeByType, rowTypes } from './values.js'

/** Kysely over the server's own pool, with values as the row types of app/Models.ts say. */
export function postgresDialect(pool: Pool, observers: Observers): Dialect {
  const lend = async () => {
    const client = await connect(pool)
    const run = async (text: string, parameters: readonly unknown[]) => {
      try {
        return await client.query({ text, values: parameters.map(encodeByType), types: rowTypes })
      } catch (error) {
        throw mapPostgresError(error)
      }
    }
    const query = (sql: string, parameters: readonly unknown[]) =>
      observers.watch({ sql, access: isSelect(sql) ? 'read' : 'write' }, () => run(sql, parameters))
    // Without a `cursor` in the dialect's config, Kysely calls `query` only with text, and types
    // its rows itself.
    return { query: query as unknown as Query, release: () => client.release() }
  }
  // The pool belongs to the Database; `database.close()` ends it.
  return new PostgresDialect({ pool: { connect: lend, end: async () => {} } })
}

type Query = Awaited<ReturnType<PostgresPool['connect']>>['query'] & {
  (sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>>
}
