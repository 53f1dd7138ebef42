import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Parameter, RawRow, Statement } from '../types.js'
import { UnavailableError } from '../unavailable.js'
import {
  isFromPooler,
  isReadOnly,
  isStalePlan,
  mapPostgresError,
  RepeatableError,
} from './errors.js'
import { plainTypes } from './values.js'

/**
 * Sends the statements of repositories, prepared by name, and counts what each connection has
 * prepared. One with too many is closed after use and the pool opens another: simpler than making
 * both the server and the driver deallocate one.
 */
export class Statements {
  readonly #prepared = new WeakMap<PoolClient, Set<string>>()
  readonly #spent = new WeakSet<PoolClient>()
  /** Not behind a pooler that gives each transaction another connection. */
  #canPrepare = true

  constructor(readonly preparedLimit: number) {}

  /** Whether the connection must not be used again. */
  isSpent(client: PoolClient): boolean {
    return this.#spent.has(client)
  }

  /** The connection is closed after use: what it does cannot be known. */
  spend(client: PoolClient): void {
    this.#spent.add(client)
  }

  async query(
    client: PoolClient,
    { sql }: Statement,
    values: readonly Parameter[],
    types = plainTypes,
  ): Promise<RawRow[]> {
    if (!this.#canPrepare) return send(client, { text: sql, types }, values)
    const name = nameOf(sql)
    const names = this.#prepared.get(client) ?? new Set()
    this.#prepared.set(client, names.add(name))
    if (names.size >= this.preparedLimit) this.#spent.add(client)
    try {
      return await send(client, { name, text: sql, types }, values)
    } catch (error) {
      if (isReadOnly(error)) this.#spent.add(client)
      if (isFromPooler(error)) this.#canPrepare = false
      throw error
    }
  }

  /**
   * Outside a transaction, a statement whose plan another process made stale, or that may be
   * repeated, is sent once more, unprepared.
   */
  async queryAlone(
    client: PoolClient,
    statement: Statement,
    values: readonly Parameter[],
    types = plainTypes,
  ): Promise<RawRow[]> {
    try {
      return await this.query(client, statement, values, types)
    } catch (error) {
      if (isStalePlan(error)) this.#spent.add(client)
      else if (!(error instanceof RepeatableError)) throw error
      return send(client, { text: statement.sql, types }, values)
    }
  }
}

/** A connection of the pool; waiting for one ends, as the pool says, in UnavailableError. */
export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new UnavailableError(undefined, { cause: error })
  }
}

/** Sends a statement; unprepared unless it has a name. */
export async function send(
  client: PoolClient,
  query: QueryConfig,
  parameters: readonly Parameter[] = [],
): Promise<RawRow[]> {
  // node-pg does not change the list, it only types it as mutable.
  const values = parameters as Parameter[]
  try {
    const config = { types: plainTypes, ...query, values, rowMode: 'array' } as const
    return (await client.query<unknown[]>(config)).rows
  } catch (error) {
    throw mapPostgresError(error)
  }
}

const names = new LRUCache<string, string>({ max: 2_000 })

/** The same text always has the same name. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `svc_${createHash('sha1').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return name
}
