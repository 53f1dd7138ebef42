import type { Connection } from './types.js'

/** The ends of a transaction. `begin` that throws leaves nothing to roll back. */
export interface TransactionControl {
  begin(): Promise<unknown>
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
}

/** Runs `work` in a transaction on `connection`; a throw rolls it back and is thrown on. */
export async function runTransaction<T>(
  connection: Connection,
  control: TransactionControl,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let isOpen = true
  const query: Connection['query'] = (statement, parameters) =>
    isOpen ? connection.query(statement, parameters) : Promise.reject(new Error(hasEnded))
  await control.begin()
  try {
    const result = await work(Object.assign({}, connection, { query }))
    isOpen = false
    await control.commit()
    return result
  } catch (error) {
    isOpen = false
    await control.rollback()
    throw error
  }
}

const hasEnded = 'This transaction has ended; its connection cannot be used.'
