import { LRUCache } from 'lru-cache'

/** Counts the requests of one client, and when that is forgotten. */
export interface Counter {
  count: number
  /** An instant of `performance.now()`, which does not jump. */
  readonly end: number
}

/**
 * Counters in memory, at most `most` of them: about 200 bytes each. One more takes the place of the
 * one that was not asked for longest, so that whoever fills them shuts nobody out: who is forgotten
 * begins anew, and who hammers is not forgotten.
 *
 * Not `RateLimiterMemory` of `rate-limiter-flexible`: it keeps as many as callers make, each with a
 * timer, and goes by the clock of the day.
 */
export class Counters {
  readonly #counters: LRUCache<string, Counter>

  constructor(most: number) {
    this.#counters = new LRUCache({ max: most })
  }

  /** Counts once more, or anew where `seconds` have gone by since the first time. */
  add(key: string, seconds: number): Counter {
    const now = performance.now()
    const known = this.#counters.get(key)
    const counter =
      known !== undefined && now < known.end ? known : { count: 0, end: now + seconds * 1000 }
    counter.count += 1
    if (counter !== known) this.#counters.set(key, counter)
    return counter
  }

  /** It was none after all. */
  giveBack(key: string): void {
    const counter = this.#counters.get(key)
    if (counter !== undefined && counter.count > 0) counter.count -= 1
  }

  has(key: string): boolean {
    return this.#counters.has(key)
  }
}
