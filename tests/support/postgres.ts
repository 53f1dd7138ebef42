import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type {} from './postgres-setup.js'

/** The URL of a new, empty database of the run's PostgreSQL. */
export async function freshDatabase(): Promise<string> {
  const server = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: `${server}postgres` })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return `${server}${name}`
}
