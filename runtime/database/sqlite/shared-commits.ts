import type { SqliteConnection } from './connection.js'
import type { Mutex } from './mutex.js'

/** The connection that writes. */
interface Writing extends Pick<SqliteConnection, 'handle' | 'run'> {
  readonly turns: Mutex
  deadline(): number
  whenFree<T>(work: () => T, deadline?: number): Promise<T>
}

interface Write {
  /** Inside a transaction with others. Gives what to do once that is committed. */
  readonly attempt: () => () => void
  readonly alone: (deadline: number) => Promise<void>
  readonly reject: (error: unknown) => void
}

/**
 * A commit waits for the disk, so the statements of one turn of the event loop share theirs. Each
 * is answered after it, and fails for itself.
 */
export class SharedCommits {
  #waiting: Write[] = []

  constructor(readonly writer: Writing) {}

  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const attempt = () => {
        try {
          const result = work()
          return () => resolve(result)
        } catch (error) {
          return () => reject(error)
        }
      }
      const alone = (deadline: number) => this.writer.whenFree(work, deadline).then(resolve, reject)
      if (this.#waiting.push({ attempt, alone, reject }) === 1) setImmediate(() => this.#next())
    })
  }

  async #next(): Promise<void> {
    const deadline = this.writer.deadline()
    try {
      // Writes that arrive meanwhile join.
      await this.writer.turns.run(() => this.#commit(this.#take(), deadline))
    } catch (error) {
      for (const { reject } of this.#take()) reject(error)
    }
  }

  #take(): readonly Write[] {
    const writes = this.#waiting
    this.#waiting = []
    return writes
  }

  async #commit(writes: readonly Write[], deadline: number): Promise<void> {
    if (writes.length > 1) {
      try {
        const answers = await this.writer.whenFree(() => this.#together(writes), deadline)
        if (answers !== null) return answers.forEach((answer) => answer())
      } catch (error) {
        return writes.forEach(({ reject }) => reject(error))
      }
    }
    for (const { alone } of writes) await alone(deadline)
  }

  /** Null: nothing was written, for one of them ended the transaction of all. */
  #together(writes: readonly Write[]): (() => void)[] | null {
    const { handle } = this.writer
    this.writer.run('BEGIN IMMEDIATE')
    try {
      const answers: (() => void)[] = []
      for (const { attempt } of writes) {
        answers.push(attempt())
        if (!handle.inTransaction) return null
      }
      this.writer.run('COMMIT')
      return answers
    } catch {
      return null // a deferred foreign key of one, or the disk: each says so for itself
    } finally {
      if (handle.inTransaction) this.writer.run('ROLLBACK')
    }
  }
}
