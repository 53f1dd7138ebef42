import { PostgresDialect, type Dialect, type PostgresPool, type PostgresQueryResult } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import type { Observers } from '../observers.js'
import { checkInside } from '../transaction.js'
import { isSelect } from '../types.js'
import { mapPostgresError } from './errors.js'
import { connect } from './statements.js'
import { encodeByType, type rowTypes } from './values.js'

/** Kysely over the server's own pool, with values as the row types of app/Models.ts say. */
export const postgresDialect = (
  pool: Pool,
  observers: Observers,
  types: typeof rowTypes,
): Dialect =>
  dialectOver(observers, types, async () => {
    const client = await connect(pool)
    return { client, release: () => client.release() }
  })

/** On the connection of a transaction that is open already. */
export const insideDialect = (
  client: ClientBase,
  observers: Observers,
  types: typeof rowTypes,
  isOpen: () => boolean,
): Dialect =>
  dialectOver(
    observers,
    types,
    async () => ({ client, release: () => {} }),
    (text) => checkInside(text, isOpen()),
  )

interface Lent {
  readonly client: ClientBase
  readonly release: () => void
}

function dialectOver(
  observers: Observers,
  types: typeof rowTypes,
  take: () => Promise<Lent>,
  check: (text: string) => void = () => {},
): Dialect {
  const lend = async () => {
    const { client, release } = await take()
    const run = async (text: string, parameters: readonly unknown[]) => {
      check(text)
      try {
        return await client.query({ text, values: parameters.map(encodeByType), types })
      } catch (error) {
        throw mapPostgresError(error)
      }
    }
    const query = (sql: string, parameters: readonly unknown[]) =>
      observers.watch({ sql, access: isSelect(sql) ? 'read' : 'write' }, () => run(sql, parameters))
    // Without a `cursor` in the dialect's config, Kysely calls `query` only with text, and types
    // its rows itself.
    return { query: query as unknown as Query, release }
  }
  // The pool belongs to the Database; `database.close()` ends it.
  return new PostgresDialect({ pool: { connect: lend, end: async () => {} } })
}

type Query = Awaited<ReturnType<PostgresPool['connect']>>['query'] & {
  (sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>>
}
