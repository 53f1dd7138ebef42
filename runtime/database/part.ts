import type { Connection } from './types.js'

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
  const onUndone = await connection.onPart?.()
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
