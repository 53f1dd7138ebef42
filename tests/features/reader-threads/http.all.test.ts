/** Reader threads on SQLite: while one request goes through a large table, all others are served. */
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { SqliteDriver } from '../../../runtime/database/sqlite/driver.js'
import { change } from '../../core/compile/emit.js'
import { run } from '../../core/compile/run.js'
import { deployed } from '../../core/faults/deployed.js'
import { startServer } from '../../core/faults/server-process.js'
import { databases } from '../../support/databases.js'
import { openFolder, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'

/** A million in `npm run test:long`. */
const large = runs(1) === 1 ? 25_000 : 1_000_000

const manifest = (text: string) =>
  text
    .replace(
      'const notes',
      `const slow = repository({ table: 'slow', reads: ['trees'], match: { text: 'text' }, fields: { text: text() } })\n\nconst notes`,
    )
    .replace(
      'repository({\n  fields',
      `repository({\n  searchable: ['text'],\n  reads: ['trees'],\n  match: { text: 'text' },\n  fields`,
    )
    .replace(
      'const notes',
      `const tags = repository({ searchable: ['text'], fields: { text: text() } })\n\nconst notes`,
    )
    .replace('readerThreads: false, ', '')
    .replace('repositories: { notes', 'repositories: { tags, slow, notes')

/** It counts to 5,000 for each row: seconds for all of them, nothing for one. */
const slowPolicy = `import type { PolicyFor, SlowModel } from '#app/Models.js'
import { self, sql } from '#runtime/policy/condition.js'

export const SlowPolicy: PolicyFor<SlowModel> = {
  show: () => sql\`(with recursive c(n) as (select \${self('id')} union all
    select n + 1 from c where n < \${self('id')} + 5000) select count(*) from c) > 0\`,
  store: () => true,
  update: () => true,
  delete: () => true,
}
`

const now = `'2026-01-01T00:00:00.000+00:00'`
const fill = (table: string, many = 25_000) =>
  `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${many})
    insert into ${table} (id, text, created_at, updated_at) select n, 'Text ' || n, ${now}, ${now} from c`

let folder = ''
beforeAll(async () => {
  if (!databases.includes('sqlite')) return
  folder = await deployed('sqlite', manifest)
  writeFileSync(join(folder, 'app/Policies/SlowPolicy.ts'), slowPolicy)
  change(join(folder, 'app/Policies/TagPolicy.ts'), /\(\) => false/, '() => true')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.runIf(databases.includes('sqlite'))('a server with threads that read', () => {
  let project: Project
  const workers: Worker[] = []
  const onWorker = (worker: Worker) => void workers.push(worker)
  /** How many statements about the slow table began, and how many have ended. */
  const slow = { sent: 0, settled: 0 }

  beforeAll(async () => {
    process.on('worker', onWorker)
    project = await openFolder(folder, 'sqlite')
    for (const table of ['slow', 'notes']) {
      await project.database.query({ sql: fill(table, large), access: 'write' }, [])
    }
    project.database.observe(({ sql }) => {
      if (!sql.includes('"slow"') || !sql.includes('order by')) return
      slow.sent += 1
      return () => void (slow.settled += 1)
    })
  })
  afterAll(async () => {
    process.off('worker', onWorker)
    await project.database.close()
  })

  /** A request for the slow table, whose statement is under way. */
  async function startSlowly(signal?: AbortSignal, body?: object) {
    const { sent } = slow
    const list = 'http://localhost/api/svc/slow'
    const asked =
      body === undefined
        ? {}
        : {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }
    const url = body === undefined ? `${list}?sort=-id&page=1000000` : `${list}/search`
    const init = signal === undefined ? asked : { signal, ...asked }
    const answer = project.fetch(new Request(url, init))
    while (slow.sent === sent) await turn()
    return { answer }
  }

  /** Status and total. */
  const search = async (text: string) => {
    const { status, body } = await project.get(`/api/svc/notes?search=${text}`)
    return [status, body.meta?.total]
  }

  it('starts none for small tables and single records', async () => {
    for (const path of ['tags?search=x', 'tags', 'slow/1', 'notes/1']) {
      expect((await project.get(`/api/svc/${path}`)).status).toBe(200)
    }
    expect(workers).toEqual([])
  })

  it('answers everybody else while one request goes through a large table', async () => {
    const leaving = new AbortController()
    const { answer } = await startSlowly(leaving.signal)
    const ids: number[] = []
    for (let n = 1; n <= 20; n += 1) {
      const shown = await project.get(`/api/svc/slow/${n}`)
      expect([shown.status, shown.body.data.attributes.text]).toEqual([200, `Text ${n}`])
      const stored = await project.post('/api/svc/notes', { text: `Written meanwhile ${n}` })
      ids.push(Number(stored.body.data.id))
    }
    expect(ids).toEqual(ids.map((_, at) => large + 1 + at))
    // Another thread reads what was written a moment ago.
    expect(await search('meanwhile')).toEqual([200, 20])
    expect(slow.settled).toBe(0)

    // A client that leaves takes its statement along: it ends where it is.
    leaving.abort()
    const [told] = await Promise.race(workers.map((worker) => once(worker, 'message')))
    expect(told).toMatchObject({ kind: 'stopped' })
    expect((await answer).status).toBe(400)
    expect(await search('meanwhile')).toEqual([200, 20])
    expect(workers).toHaveLength(2)
  })

  it('a search of few long texts is answered by a thread, too', async () => {
    const sql = `with recursive c(n) as (select 1 union all select n + 1 from c where n < 200)
      insert into tags (text, created_at, updated_at) select printf('%.*c', 60000, 'x'), ${now}, ${now} from c`
    await project.database.query({ sql, access: 'write' }, [])
    // Sizes of tables are looked up anew after a second.
    await vi.waitFor(async () => {
      const answered: unknown[] = []
      const note = (message: unknown) => void answered.push(message)
      for (const worker of workers) worker.on('message', note)
      const { status, body } = await project.get('/api/svc/tags?search=y')
      for (const worker of workers) worker.off('message', note)
      expect([status, body.meta.total, answered.length > 0]).toEqual([200, 0, true])
    }, 20_000)
    await project.database.query({ sql: 'delete from tags', access: 'write' }, [])
  })

  it('a search by a tree is answered by a thread, too, and takes no turn of those who write', async () => {
    const answered: unknown[] = []
    const note = (message: { kind?: unknown }) => void answered.push(message.kind)
    for (const worker of workers) worker.on('message', note)
    const find = async (where: object) => {
      const { status, body } = await project.post('/api/svc/notes/search', { where })
      return [status, body.meta?.total]
    }
    const parts = { any: [{ text: { contains: 'meanwhile' } }, { text: { endsWith: ' none' } }] }
    expect(await find(parts)).toEqual([200, 20])
    expect(answered.length).toBeGreaterThan(0)

    const leaving = new AbortController()
    const tree = { not: { text: 'Text 0' } }
    const { answer } = await startSlowly(leaving.signal, { where: tree, page: 1_000_000 })
    const { settled } = slow
    for (let n = 1; n <= 5; n += 1) {
      const stored = await project.post('/api/svc/notes', { text: `Beside ${n}` })
      expect(stored.status).toBe(201)
    }
    expect(await find({ text: { startsWith: 'Beside' } })).toEqual([200, 5])
    expect(slow.settled).toBe(settled)
    leaving.abort()
    expect((await answer).status).toBe(400)
    for (const worker of workers) worker.off('message', note)
  })

  it('reads what a request wrote, also in totals that were counted before', async () => {
    expect(await search('mine')).toEqual([200, 0])
    const { body } = await project.post('/api/svc/notes', { text: 'mine' })
    const path = `/api/svc/notes/${body.data.id}`
    expect(await search('mine')).toEqual([200, 1])
    await project.patch(path, { text: 'yours' })
    expect(await search('mine')).toEqual([200, 0])
    const total = async () => (await project.get('/api/svc/notes')).body.meta.total
    const before = await total()
    await project.delete(path)
    expect(await total()).toBe(before - 1)
  })

  it('is 503 for who waits for a thread that dies, and serves the next one', async () => {
    const { answer } = await startSlowly()
    await Promise.all(workers.map((worker) => worker.terminate()))
    const { status, headers } = await answer
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(await search('meanwhile')).toEqual([200, 20])
  })
})

test.runIf(databases.includes('sqlite'))(
  'as it is developed and as it is built, two servers on one file see what the other wrote',
  async () => {
    const copy = join(mkdtempSync(join(tmpdir(), 'svc-built-')), 'project')
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
    const config = join(copy, 'config/svc.ts')
    const text = readFileSync(config, 'utf8')
    writeFileSync(config, text.replace('statement_ms: 10_000', 'statement_ms: 300'))
    const built = await run('tsc', ['-p', 'tsconfig.build.json'], copy)
    expect(built).toEqual({ code: 0, output: '' })
    const file = join(copy, 'two.sqlite')
    const env = { DATABASE_URL: `file:${file}` }
    // A flag of V8 is the process's: threads take it as it is.
    const flag = '--max-old-space-size=384'
    const servers = [
      await startServer(copy, env, '', `${flag} --import tsx app/server.ts`),
      await startServer(copy, env, '', `${flag} dist/app/server.js`),
    ]
    const database = new SqliteDriver(file)
    for (const table of ['slow', 'notes']) database.exec(fill(table))
    database.close()
    for (const [at, server] of servers.entries()) {
      const other = servers[1 - at] ?? server
      // Where others have the machine, a search may take longer than a statement may.
      const finds = (total: number) =>
        vi.waitFor(async () => {
          const { status, body } = await server.send('GET', '/api/svc/notes?search=twice')
          expect([status, body.meta?.total]).toEqual([200, total])
        }, 20_000)
      await finds(at)
      await other.send('POST', '/api/svc/notes', { text: 'twice' })
      await finds(at + 1)
      const { status, headers } = await server.send('GET', '/api/svc/slow?page=1000000')
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    }
    for (const { child } of servers) child.kill('SIGTERM')
    expect(await Promise.all(servers.map(({ exited }) => exited))).toEqual([0, 0])
    rmSync(copy, { recursive: true, force: true })
  },
)
