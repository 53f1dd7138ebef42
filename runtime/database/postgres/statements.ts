import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Assumption } from '../assumption.js'
import type { Parameter, RawRow, Statement } from '../types.js'
import { UnavailableError } from '../unavailable.js'
import {
  isFromPooler,
  isReadOnly,
  isStalePlan,
  mapPostgresError,
  RepeatableError,
} from './errors.js'
import {
  type Columns,
  type RowAnswer,
  RowQuery,
  type RowQueryOptions,
  type RowStatement,
} from './row-query.js'

/**
 * Sends the statements of repositories, prepared by name, and counts what each connection has
 * prepared. One with too many is closed after use and the pool opens another: simpler than making
 * both the server and the driver deallocate one.
 */
export class Statements {
  readonly #prepared = new WeakMap<PoolClient, Map<string, Columns | null>>()
  readonly #spent = new WeakSet<PoolClient>()
  /** Not behind a pooler that gives each transaction another connection. */
  #canPrepare = true

  constructor(readonly preparedLimit: number) {}

  /** Returns true if the connection must not be used again. */
  isSpent(client: PoolClient): boolean {
    return this.#spent.has(client)
  }

  /** The connection is closed after use: what it does cannot be known. */
  spend(client: PoolClient): void {
    this.#spent.add(client)
  }

  async query(
    client: PoolClient,
    { sql: text }: Statement,
    values: readonly Parameter[],
    { count, assumption = null }: Sending = {},
  ): Promise<RawRow[]> {
    if (!this.#canPrepare) return sendUnprepared(client, text, values, { count, assumption })
    const statements = assumption === null ? [] : [this.#assumed(client, assumption)]
    statements.push(this.#statementOf(client, text, values))
    try {
      const answer = await send(client, { statements, count })
      this.#noteColumns(client, statements, answer)
      return answer.rows
    } catch (error) {
      if (isReadOnly(error) || isStalePlan(error)) this.spend(client)
      if (isFromPooler(error)) this.#canPrepare = false
      throw error
    }
  }

  #assumed(client: PoolClient, assumption: Assumption): RowStatement {
    const { statement, parameters } = assumption
    const prepared = this.#statementOf(client, statement.sql, parameters)
    return Object.assign(prepared, receiving(assumption))
  }

  #statementOf(client: PoolClient, text: string, values: readonly Parameter[]): RowStatement {
    const name = nameOf(text)
    const known = this.#preparedBy(client)
    const columns = known.get(name) ?? null
    if (columns === null && known.set(name, null).size >= this.preparedLimit) this.spend(client)
    return { name, text, values, columns }
  }

  #noteColumns(
    client: PoolClient,
    statements: readonly RowStatement[],
    { columns }: RowAnswer,
  ): void {
    for (const [at, statement] of statements.entries()) {
      if (statement.columns !== null) continue
      this.#preparedBy(client).set(statement.name, columns[at] ?? null)
    }
  }

  #preparedBy(client: PoolClient): Map<string, Columns | null> {
    const known = this.#prepared.get(client)
    if (known !== undefined) return known
    const none = new Map<string, Columns | null>()
    this.#prepared.set(client, none)
    return none
  }

  /**
   * Outside a transaction, a statement that may be repeated (another process made its plan stale)
   * is sent once more, unprepared.
   */
  async queryAlone(
    client: PoolClient,
    statement: Statement,
    values: readonly Parameter[],
    sending: Sending = {},
  ): Promise<RawRow[]> {
    try {
      return await this.query(client, statement, values, sending)
    } catch (error) {
      if (!(error instanceof RepeatableError)) throw error
      return sendUnprepared(client, statement.sql, values, sending)
    }
  }
}

/** What belongs to a statement besides its text and values. */
export interface Sending {
  readonly count?: RowQueryOptions['count']
  /** Its read is sent with the statement. */
  readonly assumption?: Assumption | null
}

const receiving = (assumption: Assumption) => ({
  receive: (rows: RawRow[]) => assumption.receive(rows),
})

/** A connection of the pool; waiting for one ends, as the pool says, in UnavailableError. */
export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new UnavailableError(undefined, { cause: error })
  }
}

/** The process behind the connection, as the other side says: a pooler has numbers of its own. */
export const processOf = (client: ClientBase): number | null =>
  (client as unknown as { readonly processID: number | null }).processID // its types leave it out

/** A command without values: `BEGIN`. */
export async function command(client: PoolClient, text: string): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    throw mapPostgresError(error)
  }
}

async function sendUnprepared(
  client: PoolClient,
  text: string,
  values: readonly Parameter[],
  { count, assumption = null }: Sending,
): Promise<RawRow[]> {
  const statements: RowStatement[] = [{ name: '', text, values, columns: null }]
  if (assumption !== null) {
    const { statement, parameters } = assumption
    const read = { name: '', text: statement.sql, values: parameters, columns: null }
    statements.unshift(Object.assign(read, receiving(assumption)))
  }
  return (await send(client, { statements, count })).rows
}

async function send(
  client: PoolClient,
  query: Omit<RowQueryOptions, 'resolve' | 'reject'>,
): Promise<RowAnswer> {
  try {
    return await new Promise<RowAnswer>((resolve, reject) => {
      client.query(new RowQuery({ resolve, reject, ...query }))
    })
  } catch (error) {
    // node-pg's errors begin where it reads from its socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw mapPostgresError(error)
  }
}

const names = new LRUCache<string, string>({ max: 2_000 })

/** Names a text: the same text always has the same name. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `svc_${createHash('sha1').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return name
}
