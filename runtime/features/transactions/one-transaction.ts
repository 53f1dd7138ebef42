import type { Connection, Database } from '../../database/types.js'
import { beginAnew, current, newEnds, rolledBack, runIn } from './current.js'

/**
 * Runs `work` in one transaction, of which everything is part that repositories and `database` do in
 * it; after-hooks follow the commit. A throw rolls all back. For a database that
 * `joinTransactions` was told of; in a transaction that is open, `work` is a part of that.
 *
 * @param name For messages: `a request whose mutations are together`.
 */
export async function inOneTransaction<Done>(
  database: Database,
  name: string,
  work: (connection: Connection) => Promise<Done>,
): Promise<Done> {
  if (current.getStore() !== undefined) return database.transaction(work)
  const ends = newEnds()
  try {
    const done = await database.transaction((connection) => {
      beginAnew(ends)
      return runIn({ connection, ...ends }, { name, isOpen: true }, () => work(connection))
    })
    for (const after of ends.later) await after()
    return done
  } catch (error) {
    await rolledBack(ends)
    throw error
  }
}
