import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { made } from './made-databases.js'

/** The URL of a new, empty database of the run's PostgreSQL; its locale is C.UTF-8 unless it is said. */
export async function freshDatabase(locale?: string): Promise<string> {
  const server = inject('postgres')
  if (server === undefined) throw new Error('this test needs PostgreSQL: npm test starts one')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: `${server}postgres` })
  await client.connect()
  const options =
    locale === undefined ? '' : `TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '${locale}'`
  await client.query(`CREATE DATABASE ${name} ${options}`)
  await client.end()
  made.push(name)
  return `${server}${name}`
}
