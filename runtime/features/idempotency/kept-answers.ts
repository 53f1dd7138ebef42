import { randomUUID } from 'node:crypto'
import type { Connection, Database, Parameter } from '../../database/types.js'
import { join, raw, read, sql, write } from '../../sql/sql.js'
import { storedTime } from '../sign-in/times.js'
import type { KeptFor } from './config.js'
import type { KeyedRequest } from './keyed-request.js'

/**
 * The table `idempotency_keys`: requests that are running (`status` is null), and answers of those
 * that are done.
 *
 * | What happens to a row | When |
 * |---|---|
 * | noted as running, with an end | before the work, in a commit of its own: others see it |
 * | gets the answer | in the transaction of the work: both are there, or neither |
 * | goes | when nothing was done; after `hours` |
 * | is taken over | by the next try, when a crash left it running and its end has come |
 *
 * Who took it over has another `attempt`: what still runs of the one before cannot complete it, and
 * is rolled back.
 */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text in UTF-8: SQLite takes bytes in half the time of a text. */
  readonly body: Buffer<ArrayBuffer>
}

/** The state of a key. */
export type Noted =
  | { readonly is: 'mine'; readonly attempt: string }
  | { readonly is: 'done'; readonly answer: KeptAnswer }
  | { readonly is: 'running' }
  | { readonly is: 'other' }

/** Rows whose time is over go in passing: of every so many that are noted, at most so many. */
const [sweepEvery, sweepMost] = [50, 200]

export class KeptAnswers {
  #noted = 0

  constructor(
    readonly database: Database,
    readonly keptFor: KeptFor,
  ) {}

  async note({ key, fingerprint }: KeyedRequest): Promise<Noted> {
    const now = Date.now()
    // SQLite has one writer, and what is running may have it: looked up beside that.
    const seen = this.#isSqlite ? await this.#look({ key, fingerprint }, now) : null
    if (seen !== null) return seen
    if (this.#noted++ % sweepEvery === 0) await this.#sweep(now)
    const { hours, running_seconds } = this.keptFor
    const attempt = randomUUID()
    const values = [
      ...[key, fingerprint, attempt],
      this.#time(now + running_seconds * 1_000),
      this.#time(now + hours * 3_600_000),
    ]
    const isOver = sql`k.expires_at <= ${this.#time(now)}`
    const isLeft = sql`k.status IS NULL AND k.running_until <= ${this.#time(now)}
      AND k.fingerprint = excluded.fingerprint`
    const rows = await write(
      this.database,
      sql`INSERT INTO idempotency_keys AS k (key, fingerprint, attempt, running_until, expires_at)
        VALUES (${join(values)})
        ON CONFLICT (key) DO UPDATE SET
          fingerprint = excluded.fingerprint, attempt = excluded.attempt,
          running_until = excluded.running_until, expires_at = excluded.expires_at,
          status = NULL, headers = NULL, body = NULL
        WHERE ${isOver} OR (${isLeft})
        RETURNING attempt`,
    )
    if (rows.length > 0) return { is: 'mine', attempt }
    // The next try may do what ended meanwhile without being done.
    return (await this.#look({ key, fingerprint }, now)) ?? { is: 'running' }
  }

  /** Null: it is free, or free again. */
  async #look({ key, fingerprint }: KeyedRequest, now: number): Promise<Noted | null> {
    const [row] = await read(
      this.database,
      sql`SELECT fingerprint, status, headers, ${this.#isSqlite ? sql`cast(body as blob)` : sql`body`}, running_until <= ${this.#time(now)}
        FROM idempotency_keys WHERE key = ${key} AND expires_at > ${this.#time(now)}`,
    )
    if (row === undefined) return null
    const [of, status, headers, body, isLeft] = row
    if (of !== fingerprint) return { is: 'other' }
    if (status === null) return Number(isLeft) === 1 ? null : { is: 'running' }
    const answer = {
      status: Number(status),
      headers: JSON.parse(String(headers)) as KeptAnswer['headers'], // written below
      body: Buffer.from(body instanceof Uint8Array ? body : String(body)),
    }
    return { is: 'done', answer }
  }

  /** On the connection of the work's transaction; false: another try has taken it over. */
  async complete(
    connection: Connection,
    { key }: KeyedRequest,
    attempt: string,
    { status, headers, body }: KeptAnswer,
  ): Promise<boolean> {
    const text = this.#isSqlite ? sql`cast(${body} as text)` : sql`${body.toString()}`
    const rows = await write(
      connection,
      sql`UPDATE idempotency_keys SET status = ${status}, headers = ${JSON.stringify(headers)}, body = ${text}
        WHERE key = ${key} AND attempt = ${attempt} AND status IS NULL RETURNING key`,
    )
    return rows.length > 0
  }

  /** Nothing was done: the next try may do it. */
  async release({ key }: KeyedRequest, attempt: string): Promise<void> {
    await write(
      this.database,
      sql`DELETE FROM idempotency_keys WHERE key = ${key} AND attempt = ${attempt} AND status IS NULL`,
    )
  }

  async #sweep(now: number): Promise<void> {
    const { dialect } = this.database
    const locked = raw(dialect === 'sqlite' ? '' : 'FOR UPDATE SKIP LOCKED')
    const over = sql`SELECT key FROM idempotency_keys WHERE expires_at <= ${this.#time(now)}
      ORDER BY expires_at LIMIT ${raw(String(sweepMost))} ${locked}`
    await write(this.database, sql`DELETE FROM idempotency_keys WHERE key IN (${over})`)
  }

  get #isSqlite(): boolean {
    return this.database.dialect === 'sqlite'
  }

  #time(moment: number): Parameter {
    return storedTime(this.database, moment)
  }
}
