import { DeadlockError } from './unavailable.js'

/** PostgreSQL ends one of two transactions that wait for each other; nothing of it was written. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DeadlockError) || left === 0) throw error
    }
  }
}
