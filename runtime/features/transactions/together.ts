import type { ExecutionResult } from 'graphql'
import type { Database } from '../../database/types.js'
import { hasFailed } from '../graphql/errors.js'
import { inOneTransaction } from './one-transaction.js'

/**
 * For `createGraphql`: the mutations of one request are one transaction. One that fails rolls all
 * back, and then there is no data.
 */
export function mutationsTogether(database: Database) {
  return async (run: () => Promise<ExecutionResult>): Promise<ExecutionResult> => {
    try {
      return await inOneTransaction(
        database,
        'a request whose mutations are together',
        async () => {
          const done = await run()
          if (hasFailed(done)) throw new RolledBack(done)
          return done
        },
      )
    } catch (error) {
      if (error instanceof RolledBack) return error.answer
      throw error
    }
  }
}

class RolledBack extends Error {
  readonly answer: ExecutionResult

  constructor({ errors = [] }: ExecutionResult) {
    super('rolled back')
    this.answer = { errors, data: null }
  }
}
