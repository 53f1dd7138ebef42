import type { Later } from '../later.js'
import type { Observer, Query, RawRow, Statement } from './types.js'

/** The listeners of `Database.observe`. */
export class Observers {
  readonly #listeners = new Set<Observer>()

  add(listener: Observer): () => void {
    const added: Observer = (statement) => listener(statement) // one listener may be added twice
    this.#listeners.add(added)
    return () => void this.#listeners.delete(added)
  }

  /** `query`, observed. Without listeners, running a statement costs one comparison more. */
  observed<Rows extends Later<RawRow[]>>(query: Query<Rows>): Query<Rows | Promise<RawRow[]>> {
    return (statement, parameters, caller) =>
      this.#listeners.size === 0
        ? query(statement, parameters, caller)
        : this.watch(statement, () => query(statement, parameters, caller))
  }

  /** Runs what sends a statement besides, which is observed as well; null: there is none. */
  beside<T>(statement: Statement | null, run: () => Promise<T>): Promise<T> {
    return statement === null || this.#listeners.size === 0 ? run() : this.watch(statement, run)
  }

  /** Calls the listeners, runs the statement, and calls what they returned when it settled. */
  async watch<T>(statement: Statement, run: () => T | Promise<T>): Promise<T> {
    const settled = [...this.#listeners].map((listener) => listener(statement))
    try {
      return await run()
    } finally {
      for (const callback of settled) callback?.()
    }
  }
}
