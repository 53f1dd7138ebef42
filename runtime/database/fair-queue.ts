interface Asked {
  /** The client: a token or an address. */
  readonly who: string
  /** Returns true if nobody waits for the answer any more. */
  hasLeft(): boolean
  /** An instant of `performance.now()`. */
  readonly since: number
  reject(error: unknown): void
}

/**
 * What waits for a place, first come first served, and fair between those who ask: next is whoever
 * has the fewest places, then who got one least lately. So one client's four hundred searches are
 * one queue beside another's single one. What a place is, a thread or a byte, says who lends it.
 */
export class FairQueue<Job extends Asked> {
  #waiting: Job[] = []
  /** Places each has; of those who have or want none, nothing is kept. */
  readonly #places = new Map<string, number>()
  readonly #served = new Map<string, number>()
  #serves = 0

  constructor(readonly most = Infinity) {}

  get size(): number {
    return this.#waiting.length
  }

  /**
   * Null: it waits. Where the queue is full, one goes: the last of whoever has most in it, which may
   * be this one.
   */
  add(job: Job): Job | null {
    this.#waiting.push(job)
    if (this.#waiting.length <= this.most) return null
    const counts = new Map<string, number>()
    for (const { who } of this.#waiting) counts.set(who, (counts.get(who) ?? 0) + 1)
    const longest = Math.max(...counts.values())
    const last = this.#waiting.findLastIndex(({ who }) => counts.get(who) === longest)
    return this.#waiting.splice(last, 1)[0] ?? null
  }

  /** The next one of those that may go, which waits no more. */
  next(mayGo: (job: Job) => boolean = () => true): Job | null {
    let best: Job | null = null
    for (const job of this.#waiting) {
      if ((best === null || this.#isBefore(job, best)) && mayGo(job)) best = job
    }
    if (best === null) return null
    this.#waiting.splice(this.#waiting.indexOf(best), 1)
    this.#served.set(best.who, ++this.#serves)
    return best
  }

  take(who: string, places = 1): void {
    const now = this.placesOf(who) + places
    if (now > 0) this.#places.set(who, now)
    else this.#places.delete(who)
    if (this.#places.size === 0 && this.#waiting.length === 0) this.#served.clear()
  }

  leave(who: string, places = 1): void {
    this.take(who, -places)
  }

  placesOf(who: string): number {
    return this.#places.get(who) ?? 0
  }

  /** Whoever has the most places of all. */
  whoHasMost(): string | null {
    let most: readonly [string | null, number] = [null, 0]
    for (const each of this.#places) if (each[1] > most[1]) most = each
    return most[0]
  }

  /** Milliseconds since which somebody waits who is not that one; 0: nobody does. */
  waitOfOthers(than: string): number {
    const first = this.#waiting.find(({ who }) => who !== than)
    return first === undefined ? 0 : performance.now() - first.since
  }

  /** Ends the waiting of clients that left, and of those that waited longest: they get `error`. */
  endLate(longestMs: number, error: () => Error): void {
    const now = performance.now()
    this.#waiting = this.#waiting.filter((job) => {
      if (!job.hasLeft() && now - job.since < longestMs) return true
      job.reject(error())
      return false
    })
  }

  #isBefore({ who }: Job, other: Job): boolean {
    const fewer = this.placesOf(who) - this.placesOf(other.who)
    return (fewer || (this.#served.get(who) ?? 0) - (this.#served.get(other.who) ?? 0)) < 0
  }
}
