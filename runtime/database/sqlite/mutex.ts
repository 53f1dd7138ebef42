/** Turns for one shared thing, first come first served. Waiting never blocks the process. */
export class Mutex {
  #held = false
  #waiting: (() => void)[] = []

  /**
   * @param patience Milliseconds a turn is waited for; a transaction that never ends must not
   * hang all others.
   */
  constructor(readonly patience = 30_000) {}

  /** Takes the turn if nobody has it. The fast path: no promise. */
  tryAcquire(): boolean {
    if (this.#held) return false
    this.#held = true
    return true
  }

  /** Resolves with the turn; give it back with `release`. */
  acquire(): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== turn)
        reject(new Error(tooLong(this.patience)))
      }, this.patience)
      this.#waiting.push(turn)
    })
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#held = false
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (!this.tryAcquire()) await this.acquire()
    try {
      return await work()
    } finally {
      this.release()
    }
  }
}

const tooLong = (patience: number) =>
  `Waited ${patience / 1000} s for the write connection. A transaction is still open: ` +
  `inside a transaction use the connection it gives, not the database.`
