import type { Pool } from 'pg'
import type { Caller } from '../../database/caller.js'
import { Connections as Lending } from '../../database/postgres/connections.js'
import { LimitedReads } from '../../database/postgres/limited-reads.js'
import { openPool, type PostgresOptions } from '../../database/postgres/open.js'
import { Statements } from '../../database/postgres/statements.js'
import type { Parameter, RawRow, Statement } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import { answerMs, type PrimaryLog } from './primary-log.js'

/** Milliseconds between two looks at a replica that answers; the longest, at one that does not. */
export const lookMs = 100
const longestMs = 30_000

/** Milliseconds that a look holds while somebody waits to read: a page takes as long. */
const freshMs = 3

/** Why a replica is not read from; null: it is. */
export type Fault = 'unknown' | 'unreachable' | 'not a replica' | 'of another database' | 'behind'

export interface ReplicaOptions {
  /** For the log: host and port, never the password. */
  readonly name: string
  readonly url: string
  readonly log: PrimaryLog
  readonly lagMs: number
  readonly pool: PostgresOptions
}

/** One replica: its connections, and what is known of it. */
export class Replica {
  fault: Fault | null = 'unknown'
  /** Bytes of the log that it has. */
  position = 0
  /** Milliseconds until the next look. */
  nextMs = lookMs
  #connections: Connections
  #looking: Promise<void> | null = null
  #lookedAt = 0
  /** Its own, so that a look never waits for what requests read. */
  readonly #looks: Pool

  constructor(readonly options: ReplicaOptions) {
    const { url } = options
    this.#connections = new Connections(options)
    this.#looks = openPool(url, { max: 1, connectionTimeoutMs: answerMs })
  }

  get pool(): Pool {
    return this.#connections.pool
  }

  query(statement: Statement, values: readonly Parameter[], caller: Caller): Promise<RawRow[]> {
    return this.#connections.query(statement, values, caller)
  }

  /** Reads the replica's position now, for a reader who waits. */
  async update(): Promise<void> {
    if (performance.now() - this.#lookedAt > freshMs) await this.look()
  }

  /** Whoever comes while it is looked at waits for that look. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
      this.#lookedAt = performance.now()
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    try {
      const query = { text: standing, rowMode: 'array', query_timeout: answerMs } as const
      const { rows } = await this.#looks.query<unknown[]>(query)
      const [isReplica, position, system] = rows[0] ?? []
      this.position = Number(position)
      this.fault = this.#faultOf(isReplica === true, system)
      this.nextMs = lookMs
    } catch {
      this.#lose()
    }
  }

  #faultOf(isReplica: boolean, system: unknown): Fault | null {
    const { log, lagMs } = this.options
    if (!isReplica) return 'not a replica'
    if (log.system === undefined) return 'unknown'
    if (log.system !== system) return 'of another database'
    return log.lagOf(this.position) > lagMs ? 'behind' : null
  }

  /** It does not answer: the primary answers who waits for it, and it is asked ever later. */
  #lose(): void {
    this.nextMs = this.fault === 'unreachable' ? Math.min(this.nextMs * 2, longestMs) : lookMs
    if (this.fault === 'unreachable') return
    this.fault = 'unreachable'
    this.#connections.lose()
    this.#connections = new Connections(this.options)
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.#looks.end()])
  }
}

const standing = `SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() - '0/0', system_identifier
  FROM pg_control_system()`

/** The connections that requests read on, until they are lost together. */
class Connections {
  readonly pool: Pool
  readonly #reads: LimitedReads
  /** Functions that end the waiting of each reader. */
  readonly #reading = new Set<(error: Error) => void>()

  constructor({ url, pool: options }: ReplicaOptions) {
    this.pool = openPool(url, { ...options, connectionTimeoutMs: answerMs })
    this.#reads = new LimitedReads(new Lending(this.pool), new Statements(500), options.limits)
  }

  query(statement: Statement, values: readonly Parameter[], caller: Caller): Promise<RawRow[]> {
    return new Promise((resolve, reject) => {
      this.#reading.add(reject)
      const reading = this.#reads.query(statement, values, caller)
      void reading.then(resolve, reject).finally(() => this.#reading.delete(reject))
    })
  }

  lose(): void {
    for (const end of this.#reading) end(new UnavailableError('The replica cannot be reached.'))
    void this.pool.end().catch(() => {})
  }
}
