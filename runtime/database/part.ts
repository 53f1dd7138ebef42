import type { Connection } from './types.js'

/** Asked when a part begins, and its answer when that part was undone. */
export type PartsWatcher = () => Promise<() => Promise<unknown>>

const watchers = new WeakMap<Connection, PartsWatcher>()

/** For a transaction: who watches is told of each part of it from here on. */
export function watchParts(connection: Connection, watcher: PartsWatcher): void {
  watchers.set(connection, watcher)
}

/**
 * A part of a transaction that is undone alone when it fails: PostgreSQL takes nothing more after a
 * statement that failed.
 */
export async function asPart<Done>(
  connection: Connection,
  name: string,
  work: () => Promise<Done>,
): Promise<Done> {
  const command = (sql: string) => connection.query({ sql, access: 'write' }, [])
  const onUndone = await watchers.get(connection)?.()
  await command(`SAVEPOINT ${name}`)
  try {
    const done = await work()
    await command(`RELEASE SAVEPOINT ${name}`)
    return done
  } catch (error) {
    await command(`ROLLBACK TO SAVEPOINT ${name}`)
    await command(`RELEASE SAVEPOINT ${name}`)
    await onUndone?.()
    throw error
  }
}
