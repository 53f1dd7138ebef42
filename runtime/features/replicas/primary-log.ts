import type { Pool } from 'pg'

/** Milliseconds a database has to say where its log ends. */
export const answerMs = 2_000

const end = `SELECT pg_current_wal_flush_lsn() - '0/0', system_identifier FROM pg_control_system()`

interface Seen {
  readonly at: number
  readonly position: number
}

/**
 * Where the primary's log ended, and when this process saw it: how far a replica is behind, in
 * milliseconds of one monotonic clock. What PostgreSQL tells compares the clocks of two machines,
 * and grows while nobody writes.
 */
export class PrimaryLog {
  #seen: readonly Seen[] = []
  /** The id of this cluster: a replica has the same. */
  system: unknown

  constructor(
    readonly pool: Pool,
    /** Nothing older needs to be known. */
    readonly keptMs: number,
  ) {}

  async look(): Promise<void> {
    const query = { text: end, rowMode: 'array', query_timeout: answerMs } as const
    const { rows } = await this.pool.query<unknown[]>(query)
    const at = performance.now()
    const [position, system] = rows[0] ?? []
    this.system = system
    const kept = this.#seen.filter((each) => each.at >= at - this.keptMs)
    this.#seen = [...kept, { at, position: Number(position) }]
  }

  /** Milliseconds since the primary went past this position; 0 where it did not. */
  lagOf(position: number): number {
    const beyond = this.#seen.find((each) => each.position > position)
    return beyond === undefined ? 0 : performance.now() - beyond.at
  }
}
