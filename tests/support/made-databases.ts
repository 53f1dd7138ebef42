import { inject } from 'vitest'

/** Names of the databases that this file has made. */
export const made: string[] = []

/** Those that nobody is connected to: each takes 8 MB, and there are hundreds in a run. */
export async function dropMade(): Promise<void> {
  if (made.length === 0) return
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: `${inject('postgres')}postgres` })
  await client.connect()
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
      WHERE name NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)`,
    [made.splice(0)],
  )
  for (const { name } of rows) await client.query(`DROP DATABASE ${name}`)
  await client.end()
}
