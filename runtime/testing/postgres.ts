import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

/** A database for one file of tests, on the server of TEST_DATABASE_URL. */
export async function makeDatabase(): Promise<{
  readonly url: string
  readonly remove: () => Promise<void>
}> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) {
    throw new Error(
      'TEST_DATABASE_URL is missing: a PostgreSQL server on which tests may create databases',
    )
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = name
  await onServer(server, `CREATE DATABASE ${name}`)
  return { url: url.href, remove: () => onServer(server, `DROP DATABASE ${name}`) }
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
