/** `readReplicas: true`: two servers, a primary and two replicas that lag, end and are promoted. Nobody loses sight of what they wrote. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emit } from '../../core/compile/emit.js'
import { startServer, type ServerProcess } from '../../core/faults/server-process.js'
import { databases } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { startPostgres, type PostgresServer } from '../../support/postgres-server.js'
import { typeCheck } from '../../support/type-check.js'

const env = {
  ...{ APP_KEY: 'k'.repeat(32), FRONTEND_APP_URL: 'https://front.example', MAIL_MAILER: 'log' },
  ...{ DATABASE_POOL: '3', METRICS_TOKEN: 'm'.repeat(16) },
}

/** The blog, asked to read from replicas, with its migration saved. */
async function replicated(): Promise<string> {
  const folder = await emit('blog', 'postgresql')
  const manifest = join(folder, 'manifest/index.ts')
  const asked = `database: 'postgresql',\n  readReplicas: true,\n  metrics: true,\n  reads: ['trees']`
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(/database: 'postgresql'/, asked))
  await generateInto(folder)
  const config = join(folder, 'config/svc.ts')
  const said = readFileSync(config, 'utf8')
  writeFileSync(config, said.replace('register: { limit: 6', 'register: { limit: 60'))
  const hooks = join(folder, 'app/Hooks/CompanyHooks.ts')
  writeFileSync(
    hooks,
    readFileSync(hooks, 'utf8')
      .replace('import', `import { replicas } from '#app/replicas.js'\nimport`)
      .replace(
        '  computed:',
        `  afterStore: async (_context, company) => {
    if (company.name === 'Ban') await replicas.forEverybody()
  },
  computed:`,
      ),
  )
  const migrations = join(folder, 'prisma/migrations')
  mkdirSync(join(migrations, '1_init'))
  renameSync(join(migrations, 'draft.sql'), join(migrations, '1_init/migration.sql'))
  return folder
}

describe.runIf(databases.includes('postgresql'))('a server with replicas', () => {
  let folder: string
  let primary: PostgresServer
  let replicas: readonly PostgresServer[] = []
  beforeAll(async () => {
    primary = await startPostgres()
    replicas = [
      await startPostgres({ replicaOf: primary }),
      await startPostgres({ replicaOf: primary }),
    ]
    folder = await replicated()
  })
  afterAll(async () => {
    await Promise.all([...replicas, primary].map((each) => each.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (lagMs: string, knows: Readonly<Record<string, string>> = {}) =>
    startServer(folder, {
      ...env,
      ...knows,
      DATABASE_URL: `${primary.url}postgres`,
      DATABASE_REPLICA_URLS: replicas.map(({ url }) => `${url}postgres`).join(', '),
      DATABASE_REPLICA_LAG_MS: lagMs,
    })

  const register = async (server: ServerProcess, name: string): Promise<string> => {
    const password = 'long enough for it'
    const person = { name, email: `${name}@example.test`, password }
    const form = { ...person, password_confirmation: password }
    const { status, body } = await server.send('POST', '/api/register', form)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.meta.token
  }

  /** Stops a replica where all is that was there before. */
  const pause = async (postgres: PostgresServer) => {
    const [mark] = await primary.ask(`SELECT pg_logical_emit_message(true, 'test', '') AS mark`)
    const has = `SELECT pg_last_wal_replay_lsn() >= $1 AS has`
    await expect.poll(() => postgres.ask(has, [String(mark?.['mark'])])).toEqual([{ has: true }])
    await postgres.ask('SELECT pg_wal_replay_pause()')
    const state = () => postgres.ask('SELECT pg_get_wal_replay_pause_state() AS state')
    await expect.poll(state).toEqual([{ state: 'paused' }])
  }
  const resume = (postgres: PostgresServer) => postgres.ask('SELECT pg_wal_replay_resume()')

  const store = async (server: ServerProcess, name: string, token: string): Promise<string> => {
    const { status, body } = await server.send('POST', '/api/svc/companies', { name }, token)
    expect(status, JSON.stringify(body)).toBe(201)
    return body.data.id
  }
  const shown = async (server: ServerProcess, id: string, token: string) =>
    (await server.send('GET', `/api/svc/companies/${id}`, undefined, token)).status

  const ask = async (server: ServerProcess, query: string, token: string) =>
    (await server.send('POST', '/graphql', { query }, token)).body

  const faults = (server: ServerProcess) =>
    server.log().flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
  const readsFrom = (server: ServerProcess) =>
    server.log().filter(({ msg }) => msg === 'reads from a replica').length

  test('shows people what they wrote, wherever they ask, and reads the rest from replicas', async () => {
    expect(typeCheck(folder)).toBe('')
    const patient = await start('600000')
    const strict = await start('100')
    const [ann, bob] = [await register(patient, 'ann'), await register(strict, 'bob')]
    const reader = await register(strict, 'reader')
    await expect.poll(() => readsFrom(patient)).toBe(2)
    const first = await store(patient, 'First', ann)
    let second = ''

    // What is there now is all that replicas know from here on.
    const [one, two] = replicas as [PostgresServer, PostgresServer]
    await Promise.all([pause(one), pause(two)])
    for (const writer of [patient, strict]) {
      const id = (second = await store(writer, 'Second', ann))
      expect(await shown(patient, id, ann)).toBe(200)
      expect(await shown(strict, id, ann)).toBe(200)
      const asked = await ask(patient, `{ company(id: "${id}") { name } }`, ann)
      expect(asked).toEqual({ data: { company: { name: 'Second' } } })
      // Who did not write it reads from a replica, as soon as one is known to have what they wrote.
      await expect.poll(() => shown(patient, id, reader)).toBe(404)
      const theirs = await ask(patient, `{ company(id: "${id}") { name } }`, reader)
      expect(theirs.data).toEqual({ company: null })
    }
    // Too far behind for one of the servers.
    await expect.poll(() => shown(strict, second, reader)).toBe(200)
    expect(faults(strict)).toContain('behind')

    // One goes on, and they are asked in turn; then both do.
    await resume(two)
    const fourth = await store(strict, 'Fourth', ann)
    const seen = new Set<number>()
    const look = async () => seen.add(await shown(patient, fourth, reader)).size
    await expect.poll(look).toBe(2)
    expect([...seen].toSorted()).toEqual([200, 404])
    await resume(one)
    const twice = async () => [
      await shown(patient, fourth, reader),
      await shown(patient, fourth, reader),
    ]
    await expect.poll(twice).toEqual([200, 200])

    // A token that is ended is ended, whatever replicas know.
    await Promise.all([pause(one), pause(two)])
    expect((await strict.send('POST', '/api/logout', {}, bob)).status).toBe(200)
    expect(await shown(patient, first, bob)).toBe(401)
    await Promise.all([resume(one), resume(two)])

    const metrics = async () =>
      (await patient.send('GET', '/metrics', undefined, env.METRICS_TOKEN)).body
    expect(await metrics()).toMatch(/database_replica_used\{replica="127.0.0.1:\d+"\} 1/)
    // What its user wrote last is read with the token: no statement more than without replicas.
    const reads = async () =>
      Number(/statement_duration_seconds_count\{access="read"\} (\d+)/.exec(await metrics())?.[1])
    const before = await reads()
    await shown(patient, first, ann)
    expect((await reads()) - before).toBe(2)
    for (const server of [patient, strict]) {
      expect(server.log().filter(({ level }) => Number(level) >= 50)).toEqual([])
      expect(JSON.stringify(server.log())).not.toContain('postgres:postgres')
      server.child.kill('SIGTERM')
      expect(await server.exited).toBe(0)
    }
  })

  test('a search that is sent with POST is read from a replica, and notes nothing as written', async () => {
    const server = await start('600000')
    const [ann, reader] = [await register(server, 'searcher'), await register(server, 'finder')]
    await expect.poll(() => readsFrom(server)).toBe(2)
    const search = async (token: string) => {
      const where = { any: [{ name: 'Sought' }, { not: { name: { gte: '' } } }] }
      const { status, body } = await server.send(
        'POST',
        '/api/svc/companies/search',
        { where },
        token,
      )
      return status === 200 ? body.meta.total : status
    }
    const [one, two] = replicas as [PostgresServer, PostgresServer]
    await Promise.all([pause(one), pause(two)])
    await store(server, 'Sought', ann)
    // Only the primary has it: who wrote it finds it, and others ask a replica.
    await expect.poll(() => search(reader)).toBe(0)
    expect(await search(ann)).toBe(1)
    const positions = () =>
      primary.ask('SELECT reader, position FROM read_positions ORDER BY reader')
    const before = await positions()
    expect(before.length).toBeGreaterThan(0)
    for (let times = 0; times < 10; times += 1) {
      expect([await search(reader), await search(ann)]).toEqual([0, 1])
    }
    expect(await positions()).toEqual(before)
    // A write of the same user notes where it ended.
    await store(server, 'Other', reader)
    expect(await positions()).not.toEqual(before)
    await Promise.all([resume(one), resume(two)])
    await expect.poll(() => search(reader)).toBe(1)
  })

  test('what is changed or removed is found by everybody at once, what is new by who wrote it', async () => {
    const [writer, relaxed, exact] = await Promise.all([
      start('600000'),
      start('600000', { DATABASE_REPLICA_KNOWS: 'own' }),
      start('600000', { DATABASE_REPLICA_KNOWS: 'all' }),
    ])
    const [eve, other] = [await register(writer, 'eve'), await register(writer, 'other')]
    await expect.poll(() => readsFrom(writer)).toBe(2)
    const company = await store(writer, 'Kept', eve)
    const at = `/api/svc/companies/${company}`
    const { body } = await writer.send('GET', '/api/svc/profile', undefined, eve)
    const users = [body.data.id]

    const create = (server: ServerProcess, name: string) =>
      server.send('POST', '/api/svc/companies', { name }, eve)
    const patch = (server: ServerProcess) => server.send('PATCH', at, { name: 'Renamed' }, eve)
    const attach = () => writer.send('POST', `${at}/attach/users`, { users }, eve)
    type Write = readonly [what: string, write: () => Promise<{ status: number }>, seen: number]
    const rounds: readonly (readonly Write[])[] = [
      [
        ['a new record', () => create(writer, 'New'), 404],
        ['a change, where nobody asks for it', () => patch(relaxed), 404],
        ['a change', () => patch(writer), 200],
      ],
      [['pivots that may have changed', attach, 200]],
      [['a new record whose hook says so', () => create(writer, 'Ban'), 200]],
      [['a new record, where everybody finds all', () => create(exact, 'New'), 200]],
    ]
    const [one, two] = replicas as [PostgresServer, PostgresServer]
    for (const writes of rounds) {
      await Promise.all([pause(one), pause(two)])
      // Only the primary has it: who does not see it read a replica.
      const news = await store(writer, 'News', eve)
      await expect.poll(() => shown(writer, news, other)).toBe(404)
      for (const [what, write, seen] of writes) {
        expect((await write()).status, what).toBeLessThan(300)
        expect(await shown(writer, news, other), what).toBe(seen)
      }
      await Promise.all([resume(one), resume(two)])
    }
  })

  test('answers from the primary when a replica ends, is promoted, or is none', async () => {
    const server = await start('600000')
    const dan = await register(server, 'dan')
    const id = await store(server, 'Kept', dan)
    await expect.poll(() => readsFrom(server)).toBe(2)
    const reading = new AbortController()
    const statuses = new Set<number>()
    const readers = Array.from({ length: 4 }, async () => {
      while (!reading.signal.aborted) statuses.add(await shown(server, id, dan))
    })
    const [one, two] = replicas as [PostgresServer, PostgresServer]
    const before = faults(server).length // a busy machine may take long to answer the first look
    await Promise.all([one.crash(), two.crash()])
    const since = () => faults(server).slice(before)
    await expect.poll(since).toEqual(['unreachable', 'unreachable'])
    await one.restart({ isReplica: true })
    await expect.poll(() => readsFrom(server)).toBe(3)
    await one.promote()
    await expect.poll(() => faults(server)).toContain('not a replica')
    reading.abort()
    await Promise.all(readers)
    expect([...statuses]).toEqual([200])
    expect((await server.send('GET', '/ready')).status).toBe(200)
  })
})
