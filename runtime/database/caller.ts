import { badRequest } from '../errors.js'
import type { Assumption } from './assumption.js'
import type { Holding } from './memory.js'

/** The request that statements are for. */
export class Caller {
  #running = 0
  readonly #waiting: (() => void)[] = []
  #assumption: Assumption | null = null

  constructor(
    /** Asked often: whether nobody waits for the answer any more. */
    readonly hasLeft: () => boolean = () => false,
    /** Asked where requests wait for each other: their turns are fair between who asks. */
    readonly who: () => string = () => '',
    /** The part of the memory for answers that its answer holds; null: it is not counted. */
    readonly holding: Holding | null = null,
  ) {}

  /** The read that says whether it holds is sent with the next statement. */
  assume(assumption: Assumption): void {
    this.#assumption = assumption
  }

  /** Null: there is none, or another statement has taken it. */
  takeAssumption(): Assumption | null {
    const assumption = this.#assumption
    this.#assumption = null
    return assumption
  }

  /** Before a statement: nothing is read for a client that left. Nobody sees this 400. */
  check(): void {
    if (this.hasLeft()) throw badRequest('The client left before it was answered.')
  }

  /** Runs `work`, never more than `most` at once: one request is not to take a whole pool. */
  async inTurn<T>(most: number, work: () => Promise<T>): Promise<T> {
    if (this.#running < most) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      this.check()
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
