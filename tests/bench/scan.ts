/**
 * The emitted blog on SQLite with and without `readerThreads`, over a million posts: how long one client waits for a
 * record while four others search, and what a record costs (server CPU) while nobody does.
 *
 *     npm run bench:scan -- [seconds=10] [rows=1000000] [rounds=5]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'
import { buildBlog, environment } from './blog.js'

const seconds = Number(process.argv[2] ?? 10)
const rows = Number(process.argv[3] ?? 1_000_000)
const rounds = Number(process.argv[4] ?? 5)
const token = `1|${'benchtoken'.repeat(4)}`
const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }

interface Contestant {
  readonly name: string
  readonly url: string
  readonly process: ChildProcess
}

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
const servers: Contestant[] = []
try {
  const file = join(folder, 'bench.sqlite')
  const [threaded, plain] = [join(folder, 'with'), join(folder, 'without')]
  await mkdir(threaded)
  await buildBlog(threaded)
  await cp(threaded, plain, { recursive: true, verbatimSymlinks: true })
  const opened = join(plain, 'dist/app/database.js')
  await writeFile(opened, (await readFile(opened, 'utf8')).replace('longReads: readerThreads,', ''))
  const env = environment(file)
  const migrating = spawn('node', ['dist/app/migrate.js'], { cwd: plain, env, stdio: 'inherit' })
  await once(migrating, 'exit')
  fill(file)
  servers.push(await start('without', plain, 4111, file), await start('with', threaded, 4112, file))
  for (const server of servers) {
    await measureWaiting(server, 0)
    await measureWaiting(server, 4)
  }
  await measureCost()
} finally {
  for (const server of servers) server.process.kill('SIGTERM')
  await Promise.all(servers.map(({ process: child }) => once(child, 'exit')))
  await rm(folder, { recursive: true, force: true })
}

async function start(name: string, cwd: string, port: number, file: string): Promise<Contestant> {
  const env = { ...environment(file), PORT: String(port), HOST: '127.0.0.1' }
  const child = spawn('node', ['dist/app/server.js'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await fetch(`${url}/health`).catch(() => null)) !== null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { name, url, process: child }
}

async function measureWaiting(server: Contestant, scanning: number): Promise<void> {
  const until = performance.now() + seconds * 1_000
  const waits: number[] = []
  const searches: number[] = []
  const statuses = new Set<number>()
  const ask = async (path: string, into: number[]) => {
    const from = performance.now()
    const answer = await fetch(server.url + path, { headers })
    await answer.text()
    statuses.add(answer.status)
    into.push(performance.now() - from)
  }
  const repeat = async (path: () => string, into: number[]) => {
    while (performance.now() < until) await ask(path(), into)
  }
  const search = () => `/api/svc/posts?search=nothing${searches.length}`
  const show = () => `/api/svc/posts/${random()}`
  await Promise.all([
    ...Array.from({ length: scanning }, () => repeat(search, searches)),
    repeat(show, waits),
  ])
  const of = (part: number, list: number[]) =>
    (list.toSorted((a, b) => a - b)[Math.floor(part * (list.length - 1))] ?? NaN).toFixed(1)
  const searched = scanning === 0 ? '' : `, p50 ${of(0.5, searches)} ms (${searches.length})`
  console.log(
    `${server.name.padEnd(8)} show p50 ${of(0.5, waits)} p99 ${of(0.99, waits)} max ${of(1, waits)} ms (${waits.length}) · ` +
      `${scanning} clients searching${searched} · status ${[...statuses].join(' ')}`,
  )
}

/** While nobody searches, in turns. */
async function measureCost(): Promise<void> {
  const works = [
    ['show', 3_000, () => `/api/svc/posts/${random()}`],
    ['small index', 2_000, () => '/api/svc/companies'],
    ['large index', 8, () => `/api/svc/posts?page=${1 + (random() % 200)}`],
  ] as const
  for (const [name, requests, path] of works) {
    const costs = new Map(servers.map((server) => [server.name, [] as number[]]))
    for (let round = 0; round <= rounds; round += 1) {
      for (const server of servers) {
        const before = cpuMicroseconds(server)
        let sent = 0
        const client = async () => {
          while (sent++ < requests) await (await fetch(server.url + path(), { headers })).text()
        }
        await Promise.all(Array.from({ length: 8 }, client))
        if (round > 0) costs.get(server.name)?.push((cpuMicroseconds(server) - before) / requests)
      }
    }
    const told = servers.map((server) => {
      const list = (costs.get(server.name) ?? []).toSorted((a, b) => a - b)
      return `${server.name} ${list[Math.floor(list.length / 2)]?.toFixed(0)} µs`
    })
    console.log(`${name.padEnd(13)} ${told.join(' · ')}`)
  }
}

/** utime and stime are fields 14 and 15 of the process's stat line, in ticks of 10 ms. */
function cpuMicroseconds(server: Contestant): number {
  const stat = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function fill(file: string): void {
  const database = new Database(file)
  const now = '2026-01-01T00:00:00.000+00:00'
  const count = (most: number) =>
    `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${most}) `
  const hash = createHash('sha256').update(token.slice(2)).digest('hex')
  database.exec(`begin;
    ${count(1_000)} insert into users (name, email, password, is_admin, created_at, updated_at)
      select 'User ' || n, 'user' || n || '@example.test', '-', 0, '${now}', '${now}' from c;
    ${count(rows)} insert into posts (title, description, published_at, owner_id, created_at, updated_at)
      select 'Post ' || n, 'Text of post ' || n || ', and what else there is to say of it, about as long as a paragraph',
        iif(n % 10 = 0, null, '${now}'), 1 + n % 1000, '${now}', '${now}' from c;
    ${count(100)} insert into companies (name, created_at, updated_at) select 'Company ' || n, '${now}', '${now}' from c;
    insert into personal_access_tokens (user_id, name, token, last_used_at, created_at)
      values (1, 'bench', '${hash}', '${new Date().toISOString().replace('Z', '+00:00')}', '${now}');
    commit`)
  database.close()
}

function random(): number {
  return 1 + Math.floor(Math.random() * rows)
}
