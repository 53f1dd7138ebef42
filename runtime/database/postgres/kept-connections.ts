import type { Pool, PoolClient } from 'pg'

/** Milliseconds after which a connection that nobody used goes back to the pool. */
const keepMs = 1_000

interface Kept {
  readonly client: PoolClient
  readonly since: number
}

/**
 * Connections that are kept for the next statement instead of going back to the pool: node-pg lends
 * one in a later turn of the event loop, through promises and a timer (8 of 190 µs of a `show`). To
 * others who use the pool (`db`, Prisma), they are as good as idle: whoever asks the pool for a
 * connection gets one of them.
 */
export class KeptConnections {
  /** The last used one is last. */
  #kept: Kept[] = []
  readonly #broken = new WeakSet<PoolClient>()
  #timer: NodeJS.Timeout | null = null

  constructor(readonly pool: Pool) {
    pool.on('connect', (client) => client.on('error', (error) => this.#broke(client, error)))
    this.#giveToOthers(pool)
    const get = () => this.#countOfPool('idleCount') + this.#kept.length
    Object.defineProperty(pool, 'idleCount', { get })
  }

  /** The connection that was used last; null: there is none. */
  take(): PoolClient | null {
    return this.#kept.pop()?.client ?? null
  }

  keep(client: PoolClient): void {
    if (this.#broken.has(client)) return client.release(true)
    if (this.pool.ending || this.#countOfPool('waitingCount') > 0) return client.release()
    this.#kept.push({ client, since: performance.now() })
    if (this.#timer === null) this.#lookLater()
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => this.#look(), keepMs).unref()
  }

  #look(): void {
    const now = performance.now()
    const isUsed = ({ since }: Kept) => now - since < keepMs
    const unused = this.#kept.filter((kept) => !isUsed(kept))
    this.#kept = this.#kept.filter(isUsed)
    for (const { client } of unused) client.release()
    this.#timer = null
    if (this.#kept.length > 0) this.#lookLater()
  }

  /** The pool's own count: metrics and tests read another one. */
  #countOfPool(name: 'idleCount' | 'waitingCount'): number {
    return Number(Reflect.get(Object.getPrototypeOf(this.pool), name, this.pool))
  }

  /** As the pool does with one of its idle connections. */
  #broke(client: PoolClient, error: Error): void {
    this.#broken.add(client)
    const at = this.#kept.findIndex((kept) => kept.client === client)
    if (at === -1) return
    this.#kept.splice(at, 1)
    client.release(error)
    this.pool.emit('error', error, client)
  }

  #giveToOthers(pool: Pool): void {
    const connect: (...call: unknown[]) => unknown = pool.connect.bind(pool)
    const end: (...call: unknown[]) => unknown = pool.end.bind(pool)
    const giveOne = () => this.#kept.shift()?.client.release()
    const giveAll = () => {
      for (const { client } of this.#kept.splice(0)) client.release()
    }
    Object.assign(pool, {
      connect: (...call: unknown[]) => {
        giveOne()
        return connect(...call)
      },
      end: (...call: unknown[]) => {
        giveAll()
        return end(...call)
      },
    })
  }
}
