import { PostgresDialect, type Dialect, type PostgresPool, type PostgresQueryResult } from 'kysely'
import type { Pool } from 'pg'
import type { Observers } from '../observers.js'
import { mapPostgresError } from './errors.js'
import { encode, rowTypes } from './values.js'
import type { Statement } from '../types.js'

/** Kysely over the server's own pool, with values as the row types of app/Models.ts say. */
export function postgresDialect(pool: Pool, observers: Observers): Dialect {
  const wrapped: PostgresPool = {
    connect: async () => {
      const client = await pool.connect()
      const run = async (sql: string, parameters: readonly unknown[]) => {
        try {
          return await client.query({ text: sql, values: parameters.map(encode), types: rowTypes })
        } catch (error) {
          throw mapPostgresError(error)
        }
      }
      // Without a `cursor` in the dialect's config, Kysely calls `query` only with text, and
      // types its rows itself.
      const query = ((sql: string, parameters: readonly unknown[]) =>
        observers.watch(describe(sql), () => run(sql, parameters))) as unknown as Query
      return { query, release: () => client.release() }
    },
    // The pool belongs to the Database; `database.close()` ends it.
    end: async () => {},
  }
  return new PostgresDialect({ pool: wrapped })
}

type Query = Awaited<ReturnType<PostgresPool['connect']>>['query'] & {
  (sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>>
}

const describe = (sql: string): Statement => ({
  sql,
  access: /^\s*select\b/i.test(sql) ? 'read' : 'write',
})
