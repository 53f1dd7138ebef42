/** For `npm run test:long`: behind Debian's PgBouncer, which gives each transaction another connection. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../runtime/database/migrations/migrate.js'
import { openPostgres } from '../../runtime/database/postgres/open.js'
import { freePort } from '../support/postgres-server.js'
import { freshDatabase } from '../support/postgres.js'
import { liveOnTwoInstances } from './instances.js'

/** The same database through a pooler of two connections. */
async function pooled(url: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'))
  const listen = await freePort()
  const name = pathname.slice(1)
  const lines = [
    '[databases]',
    `${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${listen}`, 'unix_socket_dir ='],
    ...['auth_type = any', 'pool_mode = transaction', 'default_pool_size = 2'],
    ...['max_client_conn = 100', `logfile = ${join(folder, 'log')}`],
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'))
  chmodSync(folder, 0o777)
  const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...asRoot, join(folder, 'pgbouncer.ini')])
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  child.once('error', (error) => (said += `${error.message}: apt-get install pgbouncer`))
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = createConnection(listen, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false)).once('connect', () => socket.end())
    })
  await expect.poll(async () => (await answers()) || said, { timeout: 10_000 }).toBe(true)
  return `postgresql://${username}:${password}@127.0.0.1:${listen}/${name}`
}

test('two servers behind PgBouncer in transaction mode are as one', async () => {
  await liveOnTwoInstances(await pooled(await freshDatabase()))
})

test('a migration that needs one connection to itself says so, and leaves no limit behind', async () => {
  const url = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { mkdirSync } = await import('node:fs')
  const write = (name: string, sql: string) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'migration.sql'), sql)
  }
  write('1_init', 'CREATE TABLE things (id INTEGER);')
  write('2_index', 'CREATE INDEX CONCURRENTLY things_id ON things (id);')
  const database = openPostgres(await pooled(url), {
    limits: { statement_ms: 4_321, response_bytes: 1_000_000 },
  })
  await expect(migrate(database, { folder })).rejects.toThrow('DATABASE_URL leads to a pooler')
  const shown = await database.query({ sql: 'SHOW statement_timeout', access: 'read' }, [])
  expect(shown).toEqual([['4321ms']])
  await database.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT migration_name FROM _prisma_migrations')
  await client.end()
  expect(rows).toEqual([{ migration_name: '1_init' }])
})
