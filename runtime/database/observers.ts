import type { Observer, Statement } from './types.js'

/**
 * The listeners of `Database.observe`. With none, running a statement costs one comparison more.
 */
export class Observers {
  #listeners: readonly Observer[] = []

  add(listener: Observer): () => void {
    const own: Observer = (statement) => listener(statement)
    this.#listeners = [...this.#listeners, own]
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== own)
    }
  }

  get listening(): boolean {
    return this.#listeners.length > 0
  }

  /** Tells all of `statement`, runs it, and tells those who asked that it has settled. */
  async watch<T>(statement: Statement, run: () => T | Promise<T>): Promise<T> {
    const settled = this.#listeners.map((listener) => listener(statement))
    try {
      return await run()
    } finally {
      for (const tell of settled) tell?.()
    }
  }
}
