/**
 * Failures of the machine: killed servers, crashed databases, full disks. Nothing that was
 * acknowledged is lost, and all comes back.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type DatabaseName, toldOn } from '../../support/databases.js'
import { startPostgres, type PostgresServer } from '../../support/postgres-server.js'
import { freshDatabase } from '../../support/postgres.js'
import { change } from '../compile/emit.js'
import { deployed } from './deployed.js'
import { startServer, type ServerProcess } from './server-process.js'

const folders = new Map<DatabaseName, string>()
beforeAll(async () => {
  for (const name of databases) folders.set(name, await deployed(name))
})
afterAll(() => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
})

const start = (name: DatabaseName, url: string, limits?: string) =>
  startServer(
    folders.get(name) ?? '',
    { DATABASE_URL: url, DATABASE_POOL: '4', MIGRATE_ON_START: 'true' },
    limits,
  )

const store = (server: ServerProcess, text: string) =>
  server.send('POST', '/api/svc/notes', { text })

/** All there are. */
async function texts(server: ServerProcess): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { body } = await server.send('GET', `/api/svc/notes?perPage=100&page=${page}`)
    for (const { attributes } of body.data) found.add(attributes.text)
    last = body.meta.last_page
  }
  return found
}

describe.each(toldOn('sqlite'))('on %s', (name) => {
  test('a server that is killed below 16 writers has lost nothing that it acknowledged', async () => {
    const url =
      name === 'sqlite'
        ? `file:${join(folders.get(name) ?? '', 'k.sqlite')}`
        : await freshDatabase()
    const server = await start(name, url)
    const acknowledged: string[] = []
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 0; ; n += 1) {
        const text = `${writer}-${n}`
        const sent = await store(server, text).catch(() => null)
        if (sent === null) return
        expect(sent.status).toBe(201)
        acknowledged.push(text)
        if (acknowledged.length === 200) server.child.kill('SIGKILL')
      }
    })
    await Promise.all(writers)
    await server.exited
    const kept = await texts(await start(name, url))
    expect(acknowledged.filter((text) => !kept.has(text))).toEqual([])
    expect(acknowledged.length).toBeGreaterThanOrEqual(200)
  })
})

test.runIf(databases.includes('sqlite'))(
  'a disk that is full is 503, and reading goes on',
  async () => {
    const url = `file:${join(folders.get('sqlite') ?? '', 'full.sqlite')}`
    // No file may be longer than so many blocks of 512 bytes: SQLite sees a disk that takes no more.
    const server = await start('sqlite', url, '-f 2000')
    const long = 'x'.repeat(200)
    let stored = 0
    let refused = await store(server, long)
    for (; refused.status === 201; stored += 1) refused = await store(server, long)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(refused.body.message).not.toContain('disk')
    expect(stored).toBeGreaterThan(0)
    const read = await server.send('GET', '/api/svc/notes')
    expect([read.status, read.body.meta.total]).toEqual([200, stored])
    const line = server.log().find(({ status }) => status === 503)
    const why = server.log().find(({ err }) => err !== undefined)
    expect(why?.['requestId']).toBe(line?.['requestId'])
    expect(why?.['err']).toMatchObject({ code: expect.stringMatching(/^SQLITE_(FULL|IOERR)/) })
  },
)

// Only Linux changes the limits of a process that runs.
test.runIf(databases.includes('sqlite') && process.platform === 'linux')(
  'a disk that takes no more writes for a while is 503 meanwhile, and reading goes on',
  async () => {
    const server = await start(
      'sqlite',
      `file:${join(folders.get('sqlite') ?? '', 'frozen.sqlite')}`,
    )
    expect((await store(server, 'before')).status).toBe(201)
    // No write to any file succeeds, not even into one that is open: a file system that the kernel made read-only.
    const freeze = (most: string) =>
      execFileSync('prlimit', [`--pid=${server.child.pid}`, `--fsize=${most}:`])
    freeze('0')
    const writes = await Promise.all([
      store(server, 'one'),
      server.send('PATCH', '/api/svc/notes/1', { text: 'changed' }),
      server.send('DELETE', '/api/svc/notes/1'),
    ])
    for (const { status, headers, body } of writes) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(body).toEqual({ message: 'The service is not available now.' })
    }
    expect(await texts(server)).toEqual(new Set(['before']))
    expect((await server.send('GET', '/ready')).status).toBe(200)
    for (const { headers } of writes) {
      const requestId = headers.get('x-request-id')
      const why = server.log().find((line) => line['requestId'] === requestId && line['err'])
      expect(why?.['err']).toMatchObject({ code: expect.stringMatching(/^SQLITE_(IOERR|FULL)/) })
    }
    freeze('unlimited')
    expect((await store(server, 'after')).status).toBe(201)
    expect(await texts(server)).toEqual(new Set(['before', 'after']))
  },
)

test.runIf(databases.includes('sqlite'))(
  'a promise that code of the developer forgets is logged with the request, and the server serves on',
  async () => {
    const folder = folders.get('sqlite') ?? ''
    const forgets = `() => (void Promise.reject(new Error('forgotten')), true)`
    change(join(folder, 'app/Policies/NotePolicy.ts'), /store: .*/, `store: ${forgets},`)
    const server = await start('sqlite', `file:${join(folder, 'forgotten.sqlite')}`)
    const stored = await store(server, 'one')
    expect(stored.status).toBe(201)
    expect((await server.send('GET', '/api/svc/notes')).status).toBe(200)
    const said = () =>
      server.log().find(({ msg }) => msg === 'nobody awaits a promise that was rejected')
    await expect.poll(said).toBeDefined() // its line may come after the answer
    const line = said()
    expect(line).toMatchObject({ level: 50, err: { message: 'forgotten' } })
    expect(line?.['latestRequests']).toEqual([stored.headers.get('x-request-id')])
  },
)

describe.runIf(databases.includes('postgresql'))('a PostgreSQL that', () => {
  let postgres: PostgresServer
  let server: ServerProcess
  beforeAll(async () => void (postgres = await startPostgres({ isDurable: true })))
  afterAll(() => postgres.stop())

  const status = (method: string, body?: object) =>
    server
      .send(method, '/api/svc/notes', body)
      .then((sent) => [sent.status, sent.headers.get('retry-after')])

  test('crashes and comes back, or only reads for a while, is 503 meanwhile, without a restart of the server', async () => {
    server = await start('postgresql', `${postgres.url}postgres`)
    const note = { text: 'one' }
    expect(await status('POST', note)).toEqual([201, null])

    await postgres.crash()
    const answers = await Promise.all(Array.from({ length: 8 }, () => status('GET')))
    expect(answers).toEqual(Array.from({ length: 8 }, () => [503, '1']))
    expect((await server.send('GET', '/health')).status).toBe(200)
    expect((await server.send('GET', '/ready')).status).toBe(503)

    // It comes back as a replica: another one is to be the primary.
    await postgres.restart({ isReplica: true })
    expect(await status('GET')).toEqual([200, null])
    const before = await postgres.sessions('postgres')
    expect(await status('POST', note)).toEqual([503, '1'])
    // That connection is not kept: the next one may lead to the new primary.
    await expect.poll(() => postgres.sessions('postgres')).toBe(before - 1)
    await postgres.promote()
    expect(await status('POST', note)).toEqual([201, null])
    expect((await server.send('GET', '/ready')).status).toBe(200)
    expect(await texts(server)).toEqual(new Set(['one']))
  })
})
