/** Records that are read in one statement, unless they are large. */
const usual = 200

/** After so many batches at most, a larger one is tried again. */
const longest = 64

/**
 * How many records the next batch has. Fewer where one was more than an answer may hold, and then more
 * again, twice as many each time, up to the usual number. The more often that failed, the longer it
 * waits: where all records are large, few statements are read in vain.
 */
export class BatchSize {
  #size = usual
  /** The number of records that were read last; 0: that many are too many now. */
  #good = 0
  #patience = 1
  #left = 0

  get size(): number {
    return this.#size
  }

  /** They were read. */
  grow(): void {
    this.#good = this.#size
    this.#left -= 1
    if (this.#left > 0) return
    this.#size = Math.min(this.#size * 2, usual)
    if (this.#good === usual) this.#patience = 1
  }

  /** They were too large together. False: fewer than one are none. */
  shrink(): boolean {
    if (this.#size === 1) return false
    const isTried = this.#good > 0 && this.#good < this.#size
    this.#size = isTried ? this.#good : Math.ceil(this.#size / 8)
    this.#good = 0
    this.#patience = Math.min(this.#patience * 2, longest)
    this.#left = this.#patience
    return true
  }
}
