import type { PoolClient } from 'pg'
import { responseTooLarge } from '../../errors.js'
import type { Assumption } from '../assumption.js'
import { Caller } from '../caller.js'
import { NoRoomError, readInMemory, type Reading } from '../memory.js'
import { noLimits, type StatementLimits, mostText } from '../statement-limits.js'
import type { Parameter, RawRow, Statement } from '../types.js'
import { requestCancel } from './cancel.js'
import type { Connections, Use } from './connections.js'
import type { Statements } from './statements.js'

/** Connections that one request may hold, whatever it asks for. */
const mostConnections = 2

/** Milliseconds between two looks at who has left. A listener for each would cost every request. */
const lookMs = 100

/** A connection of the pool: who it runs a statement for. */
interface Lent {
  /** The use that it is lent for. */
  use: Use
  /** Null: it runs none. */
  caller: Caller | null
  /** Looks since the caller left. */
  looks: number
  /** One is on its way, and could hit what begins now. */
  isCanceling: boolean
}

interface Beside {
  readonly reading: Reading | null
  readonly assumption: Assumption | null
}

/** Stands for the client of an answer that is too large already. */
const nobody = new Caller(() => true)

/**
 * What requests read: of a few connections, no more text than an answer can hold, and cancelled
 * when the client leaves. A connection goes back to the pool when the cancel is over too.
 */
export class LimitedReads {
  /**
   * Kept while a connection lives: a Map that grows and shrinks for each statement keeps its old
   * tables reachable from each other, and with them whole requests until the next full collection
   * (22 of 200 µs of a `show`).
   */
  readonly #lent = new Map<PoolClient, Lent>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    readonly connections: Connections,
    readonly statements: Statements,
    readonly limits: StatementLimits = noLimits,
  ) {
    connections.pool.on('remove', (client) => this.#lent.delete(client))
  }

  /** @param assumption Its read is sent with the statement. */
  query(
    statement: Statement,
    values: readonly Parameter[],
    caller: Caller,
    assumption: Assumption | null = null,
  ): Promise<RawRow[]> {
    return caller.inTurn(mostConnections, () =>
      readInMemory(caller, statement.sql, (reading) =>
        this.#query(statement, values, caller, { reading, assumption }),
      ),
    )
  }

  async #query(
    statement: Statement,
    values: readonly Parameter[],
    caller: Caller,
    { reading, assumption }: Beside,
  ): Promise<RawRow[]> {
    const use = { who: caller.who(), isTransaction: false, hasLeft: caller.hasLeft }
    const client = await this.connections.lend(use)
    const lent = this.#lend(client, use)
    try {
      caller.check() // it waited for the connection
      lent.caller = caller
      this.#watch()
      const count = this.#counted(client, lent, reading)
      return await this.statements.queryAlone(client, statement, values, { count, assumption })
    } catch (error) {
      caller.check()
      throw error
    } finally {
      lent.caller = null
      this.#release(client, lent)
    }
  }

  #lend(client: PoolClient, use: Use): Lent {
    const known = this.#lent.get(client)
    const lent = known ?? { use, caller: null, looks: 0, isCanceling: false }
    if (known === undefined) this.#lent.set(client, lent)
    lent.use = use
    lent.looks = 0
    return lent
  }

  /** Gives the connection back when neither the statement nor its cancel is on its way any more. */
  #release(client: PoolClient, { use, caller, isCanceling }: Lent): void {
    if (caller !== null || isCanceling) return
    this.connections.giveBack(client, use, this.statements.isSpent(client))
  }

  /** node-pg leaves out the rows after an error, and would still receive them all. */
  #counted(client: PoolClient, lent: Lent, reading: Reading | null) {
    const { response_bytes } = this.limits
    let left = mostText(response_bytes)
    return (characters: number): void => {
      left -= characters
      const hasRoom = left < 0 || reading === null || reading.take(characters)
      if (left >= 0 && hasRoom) return
      lent.caller = nobody
      this.#cancel(client, lent)
      throw left < 0 ? responseTooLarge(response_bytes) : new NoRoomError()
    }
  }

  #watch(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#look(), lookMs).unref()
  }

  /** A pooler drops the cancel of a statement that waits for its turn: it is sent again, ever later. */
  #look(): void {
    this.#timer = null
    for (const [client, lent] of this.#lent) {
      if (lent.caller === null) continue
      this.#watch()
      if (!lent.caller.hasLeft()) continue
      lent.looks += 1
      if (isPowerOfTwo(lent.looks)) this.#cancel(client, lent)
    }
  }

  /** Reads what has arrived first: a statement that is over is not cancelled. */
  #cancel(client: PoolClient, lent: Lent): void {
    const { caller } = lent
    setImmediate(async () => {
      if (lent.caller !== caller || lent.isCanceling) return
      lent.isCanceling = true
      const isOver = await requestCancel(client)
      if (!isOver) this.statements.spend(client)
      lent.isCanceling = false
      this.#release(client, lent)
    })
  }
}

const isPowerOfTwo = (count: number) => (count & (count - 1)) === 0
