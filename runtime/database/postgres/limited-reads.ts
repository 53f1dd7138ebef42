import { connect as connectSocket } from 'node:net'
import type { Pool, PoolClient } from 'pg'
import { responseTooLarge } from '../../errors.js'
import type { Caller } from '../caller.js'
import { noLimits, type StatementLimits, mostText } from '../statement-limits.js'
import type { Parameter, RawRow, Statement } from '../types.js'
import { connect, type Statements } from './statements.js'

/** Connections that one request may hold, whatever it asks for. */
const mostConnections = 2

/** Milliseconds between two looks at who has left. A listener for each would cost every request. */
const lookMs = 100

/**
 * What requests read: of a few connections, no more text than an answer can hold, and cancelled
 * when the client leaves. A connection that was cancelled is closed, for the cancel may come late.
 */
export class LimitedReads {
  /**
   * Null: the connection is idle. Nothing is deleted while it lives: a Map that grows and shrinks for
   * each statement keeps its old tables reachable from each other, and with them whole requests until
   * the next full collection (22 of 200 µs of a `show`).
   */
  readonly #running = new Map<PoolClient, Caller | null>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    readonly pool: Pool,
    readonly statements: Statements,
    readonly limits: StatementLimits = noLimits,
  ) {
    pool.on('remove', (client) => this.#running.delete(client))
  }

  query(statement: Statement, values: readonly Parameter[], caller: Caller): Promise<RawRow[]> {
    return caller.inTurn(mostConnections, () => this.#query(statement, values, caller))
  }

  async #query(
    statement: Statement,
    values: readonly Parameter[],
    caller: Caller,
  ): Promise<RawRow[]> {
    const client = await connect(this.pool)
    try {
      caller.check() // it waited for the connection
      this.#watch(client, caller)
      return await this.statements.queryAlone(client, statement, values, this.#counted(client))
    } catch (error) {
      caller.check()
      throw error
    } finally {
      this.#running.set(client, null)
      client.release(this.statements.isSpent(client))
    }
  }

  /** node-pg leaves out the rows after an error, and would still receive them all. */
  #counted(client: PoolClient) {
    const { response_bytes } = this.limits
    let left = mostText(response_bytes)
    return (characters: number): void => {
      left -= characters
      if (left >= 0) return
      this.#cancel(client)
      throw responseTooLarge(response_bytes)
    }
  }

  #watch(client: PoolClient, caller: Caller): void {
    this.#running.set(client, caller)
    if (this.#timer === null) this.#timer = setTimeout(() => this.#look(), lookMs).unref()
  }

  #look(): void {
    this.#timer = null
    for (const [client, caller] of this.#running) {
      if (caller === null) continue
      if (!caller.hasLeft()) this.#watch(client, caller)
      else this.#cancel(client)
    }
  }

  #cancel(client: PoolClient): void {
    this.#running.set(client, null)
    this.statements.spend(client)
    requestCancel(client)
  }
}

/** What node-pg knows of its connection, and its types leave out. */
interface Connected {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
}

/** PostgreSQL takes this on a connection of its own, never encrypted, and does not answer. */
function requestCancel(client: PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Connected
  const message = Buffer.alloc(16)
  const words = [16, 80_877_102, processID, secretKey]
  for (const [at, word] of words.entries()) message.writeInt32BE(word, 4 * at)
  const isPath = host.startsWith('/')
  const socket = isPath ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host)
  // The database may be gone; then so is the statement.
  socket.on('error', () => {}).end(message)
}
