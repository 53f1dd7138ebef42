/** For `npm run test:long`: behind Debian's PgBouncer, which gives each transaction another connection. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../runtime/database/migrations/migrate.js'
import { openPostgres } from '../../../runtime/database/postgres/open.js'
import * as certificate from '../../support/certificate.js'
import { freePort } from '../../support/postgres-server.js'
import { freshDatabase } from '../../support/postgres.js'
import { deployed } from './deployed.js'
import { liveOnTwoInstances } from './instances.js'
import { startServer } from './server-process.js'

interface Pooler {
  readonly url: string
  readonly child: ChildProcess
}

/** Connects to the database through a pooler. */
async function pooled(
  url: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'))
  const listen = await freePort()
  const name = pathname.slice(1)
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: listen, unix_socket_dir: '', auth_type: 'any' },
    ...{ pool_mode: 'transaction', default_pool_size: 2, max_client_conn: 200 },
    logfile: join(folder, 'log'),
    ...settings,
  }
  const lines = [
    '[databases]',
    `${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${password}`,
    '[pgbouncer]',
    ...Object.entries(all).map(([key, value]) => `${key} = ${value}`),
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
  await expect.poll(async () => (await answers()) || said).toBe(true)
  return { child, url: `postgresql://${username}:${password}@localhost:${listen}/${name}` }
}

test('two servers behind PgBouncer in transaction mode are as one', async () => {
  await liveOnTwoInstances((await pooled(await freshDatabase())).url)
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
  const database = openPostgres((await pooled(url)).url, {
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

test('what one server relaxes for itself, others behind the pooler do not get', async () => {
  const direct = await freshDatabase()
  const { url } = await pooled(direct, { default_pool_size: 1 })
  const shown = async (address: string, durability: 'full' | 'relaxed') => {
    const database = openPostgres(address, { durability })
    const rows = await database.query({ sql: 'SHOW synchronous_commit', access: 'read' }, [])
    await database.close()
    return rows
  }
  const client = new pg.Client({ connectionString: direct })
  await client.connect()
  const name = client.escapeIdentifier(String(client.database))
  await client.query(`ALTER DATABASE ${name} SET synchronous_commit = on`)
  await client.end()
  expect(await shown(direct, 'relaxed')).toEqual([['off']])
  expect(await shown(url, 'relaxed')).toEqual([['on']])
  expect(await shown(url, 'full')).toEqual([['on']])
})

const withTls = {
  client_tls_sslmode: 'require',
  client_tls_key_file: certificate.files.key,
  client_tls_cert_file: certificate.files.cert,
}

// Debian 12 has PgBouncer 1.18, which ended itself when one of them did so before its cancel was over.
test.each([
  ['gives out transactions', 'transaction', {}],
  ['gives out sessions', 'session', {}],
  ['is spoken to over TLS', 'transaction', withTls],
])('a thousand clients leave, and a pooler that %s serves on', async (_, pool_mode, tls) => {
  const folder = await deployed('postgresql')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const direct = await freshDatabase()
  const { url, child } = await pooled(direct, { pool_mode, default_pool_size: 40, ...tls })
  const address = tls === withTls ? `${url}${certificate.verified}` : url
  const env = { DATABASE_URL: address, DATABASE_POOL: '40' }
  const server = await startServer(folder, env)
  const holder = new pg.Client({ connectionString: direct })
  await holder.connect()
  onTestFinished(() => holder.end())
  const waiting = async () => {
    const { rows } = await holder.query('SELECT 1 FROM pg_locks WHERE NOT granted')
    return rows.length
  }
  await holder.query('BEGIN; LOCK TABLE notes IN ACCESS EXCLUSIVE MODE')
  for (let wave = 0; wave < 25; wave += 1) {
    const leaving = new AbortController()
    const { signal } = leaving
    const clients = Array.from({ length: 40 }, () =>
      fetch(`${server.url}/api/svc/notes?search=x`, { signal }).catch((error: Error) => error.name),
    )
    await expect.poll(waiting).toBe(40)
    leaving.abort()
    expect(new Set(await Promise.all(clients))).toEqual(new Set(['AbortError']))
    await expect.poll(async () => [child.exitCode, await waiting()]).toEqual([null, 0])
  }
  await holder.query('ROLLBACK')
  expect((await server.send('POST', '/api/svc/notes', { text: 'kept' })).status).toBe(201)
  expect((await server.send('GET', '/api/svc/notes?search=kept')).body.meta.total).toBe(1)
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
  expect(server.log().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
