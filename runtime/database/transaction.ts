import { isTurnLong, nextTurn } from '../event-loop.js'
import type { Connection } from './types.js'

/** The ends of a transaction. `begin` that throws leaves nothing to roll back. */
export interface TransactionControl {
  begin(): Promise<unknown>
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
}

/** A connection on which a transaction runs, and Kysely over it. */
export interface TransactionConnection extends Connection {
  readonly kyselyInside: (options: object | undefined, isOpen: () => boolean) => object
}

/** Runs `work` in a transaction on `connection`; a throw rolls it back and is thrown on. */
export async function runTransaction<T>(
  connection: TransactionConnection,
  control: TransactionControl,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let isOpen = true
  // SQLite keeps the event loop for as long as a statement takes: a long one has a turn of its own.
  const mayBegin = async () => {
    if (connection.dialect === 'sqlite' && isTurnLong()) await nextTurn()
  }
  const query: Connection['query'] = async (statement, parameters) => {
    await mayBegin()
    if (!isOpen) throw new Error(hasEnded)
    return connection.query(statement, parameters)
  }
  await control.begin()
  try {
    const kyselyInside = (options: object | undefined) =>
      connection.kyselyInside(options, () => isOpen)
    const result = await work(Object.assign({}, connection, { query, kyselyInside }))
    isOpen = false
    await mayBegin()
    await control.commit()
    return result
  } catch (error) {
    isOpen = false
    await control.rollback()
    throw error
  }
}

/** Kysely on a transaction: what would end it, or comes when it has ended, is refused. */
export function checkInside(sql: string, isOpen: boolean): void {
  if (!isOpen) throw new Error(hasEnded)
  if (/^\s*(begin|start|commit|rollback)\b(?! to\b)/i.test(sql)) throw new Error(isWithin)
}

const isWithin = 'This is inside a transaction already, which its hook does not end.'

const hasEnded = 'This transaction has ended; its connection cannot be used.'
