/** One after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
