import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { made } from './made-databases.js'

/** The URL of a new, empty database of the run's PostgreSQL; its locale is C.UTF-8 unless it is said. */
export const freshDatabase = (locale?: string): Promise<string> =>
  newDatabase(
    locale === undefined ? '' : `TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '${locale}'`,
  )

/** Of one that nobody is connected to: the URL of another with the same tables and rows. */
export const copyOfDatabase = (url: string): Promise<string> =>
  newDatabase(`TEMPLATE ${new URL(url).pathname.slice(1)}`)

/** Goes on to be there when the file of tests is over. */
export function keepDatabase(url: string): void {
  const at = made.indexOf(new URL(url).pathname.slice(1))
  if (at !== -1) made.splice(at, 1)
}

async function newDatabase(options: string): Promise<string> {
  const server = inject('postgres')
  if (server === undefined) throw new Error('this test needs PostgreSQL: npm test starts one')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: `${server}postgres` })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} ${options}`)
  await client.end()
  made.push(name)
  return `${server}${name}`
}
