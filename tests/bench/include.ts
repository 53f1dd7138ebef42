/**
 * `GET /users?include=posts.comments,roles` (15 × 15 × 15 records, about 650 KB): the emitted blog against a hand-written
 * server with the same answer, on SQLite and on PostgreSQL, interleaved in one run. Prints server CPU (user + system) per
 * request, the ratio hand-written / emitted (above 1 the emitted one is cheaper) and the memory of both; then the memory of
 * the emitted one, peak and heap, for the same answer before and after 100,000 posts more.
 *
 *     npm run bench:include -- [rounds=5] [seconds=3]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'
import { startPostgres } from '../support/postgres-server.js'
import { buildBlog, environment, root } from './blog.js'

const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 3)
const users = 300
const token = '1|benchTokenWithFortyLettersAndDigitsInIt0'
const path = '/api/svc/users?include=posts.comments,roles'
const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }

/** Posts in the large table, beside those of the page. */
const many = 100_000

/** In the server: answers with what is left on its heap after a collection. */
const reporter = `data:text/javascript,${encodeURIComponent(
  `process.on('message', () => { gc(); process.send(process.memoryUsage().heapUsed) }); process.channel.unref()`,
)}`

interface Contestant {
  name: string
  port: number
  process: ChildProcess
}

await onSqlite()
await onPostgres()

async function onSqlite(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    const file = join(folder, 'bench.sqlite')
    await contest('sqlite', folder, `file:${file}`, async (tables) => {
      const database = new Database(file)
      for (const sql of tables(`'2026-01-01T00:00:00.000+00:00'`, '0')) {
        database.exec(`with recursive ${sql}`)
      }
      database.exec('analyze')
      database.close()
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onPostgres(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const postgres = await startPostgres()
  try {
    const url = `${postgres.url}postgres`
    await contest('postgresql', folder, url, async (tables) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      for (const sql of tables('now()', 'false')) await client.query(`with recursive ${sql}`)
      await client.query('analyze')
      await client.end()
    })
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills the tables: users with 15 posts and 15 roles each, posts with 15 comments. */
function rows(now: string, no: string): string[] {
  const series = (name: string, last: number) =>
    `${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${last})`
  const hash = createHash('sha256').update(token.slice(2)).digest('hex')
  const tables: [string, string, string][] = [
    [
      'users (name, email, password, is_admin, created_at, updated_at)',
      `'User ' || n, 'u' || n || '@example.test', '-', ${no}, ${now}, ${now}`,
      'from u',
    ],
    [
      'roles (name, created_at, updated_at)',
      `'Role ' || n, ${now}, ${now}`,
      'from u where n <= 15',
    ],
    ['role_user (user_id, role_id)', 'u.n, f.n', 'from u, f'],
    [
      'posts (title, description, published_at, owner_id, created_at, updated_at)',
      `'Post ' || f.n || ' of ' || u.n, 'Text of the post', ${now}, u.n, ${now}, ${now}`,
      'from u, f',
    ],
    [
      'comments (body, post_id, user_id, created_at, updated_at)',
      `'Comment ' || f.n || ' on ' || p.id, p.id, 1 + (p.id + f.n) % ${users}, ${now}, ${now}`,
      'from posts p, f',
    ],
    [
      'personal_access_tokens (user_id, name, token, last_used_at, created_at)',
      `1, 'bench', '${hash}', ${now}, ${now}`,
      'from u where n = 1',
    ],
  ]
  // A WITH before INSERT serves its SELECT on both databases.
  return tables.map(
    ([into, select, from]) =>
      `${series('u', users)}, ${series('f', 15)} insert into ${into} select ${select} ${from}`,
  )
}

/** Of the users on the page, and older than all others: the answer stays what it is. */
function morePosts(now: string): string[] {
  const owner = `${users - 14} + s.n % 15`
  return [
    `s(n) as (select 1 union all select n + 1 from s where n < ${many})
     insert into posts (id, title, description, published_at, owner_id, created_at, updated_at)
     select -n, 'Post ' || n, 'Text of the post', ${now}, ${owner}, ${now}, ${now} from s`,
  ]
}

/** Peak and heap of a server of its own, after the same number of requests. */
async function memoryOf(server: Contestant): Promise<string> {
  try {
    for (let sent = 0; sent < 300; sent += 1) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
      await answer.arrayBuffer()
    }
    const heap = new Promise((resolve) => server.process.once('message', resolve))
    server.process.send('memory')
    const used = Math.round(Number(await heap) / 1024 / 1024)
    return `peak ${megabytes(server, 'VmHWM')} MB, heap ${used} MB`
  } finally {
    server.process.kill('SIGKILL')
  }
}

async function contest(
  database: 'sqlite' | 'postgresql',
  folder: string,
  url: string,
  fill: (tables: (now: string, no: string) => string[]) => Promise<void>,
): Promise<void> {
  const servers: Contestant[] = []
  try {
    await buildBlog(folder, database)
    const env = { ...environment(''), DATABASE_URL: url }
    await run('node', ['dist/app/migrate.js'], folder, env)
    await fill(rows)
    const byHand = join(root, 'tests/bench/handwritten-include.ts')
    servers.push(
      await start('emitted', 4111, ['dist/app/server.js'], folder, env),
      await start('hand-written', 4112, ['--import', 'tsx', byHand], root, env),
    )
    await compareAnswers(servers)
    await measure(database, servers)
    const serve = () =>
      start(
        'emitted',
        4113,
        ['--expose-gc', '--import', reporter, 'dist/app/server.js'],
        folder,
        env,
      )
    const before = await memoryOf(await serve())
    await fill(morePosts)
    const after = await memoryOf(await serve())
    console.log(`${' '.repeat(10)} ${before} · with ${many} posts more ${after}`)
  } finally {
    for (const server of servers) server.process.kill('SIGKILL')
  }
}

async function start(
  name: string,
  port: number,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Contestant> {
  const child = spawn('node', args, {
    cwd,
    env: { ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (answer !== null) return { name, port, process: child }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${name} does not answer on port ${port}`)
}

/** A ratio between servers that answer differently would mean nothing. */
async function compareAnswers(servers: readonly Contestant[]): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ port }) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      return { status: response.status, body: (await response.json()) as { data: object[] } }
    }),
  )
  if (!isDeepStrictEqual(answers[0], answers[1])) {
    const texts = answers.map(
      ({ status, body }) => `${status} ${JSON.stringify(body).slice(0, 2000)}`,
    )
    throw new Error(`the answers differ:\n${texts.join('\n')}`)
  }
}

async function measure(database: string, servers: readonly Contestant[]): Promise<void> {
  const costs = new Map(servers.map((server) => [server.name, [] as number[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const server of servers) {
      const before = cpuMicroseconds(server)
      const requests = await load(server)
      const cost = (cpuMicroseconds(server) - before) / requests
      // Round 0 warms up.
      if (round > 0) costs.get(server.name)?.push(cost)
    }
  }
  const [emitted, handwritten] = servers.map(({ name }) => median(costs.get(name) ?? []))
  if (emitted === undefined || handwritten === undefined) throw new Error('nothing was measured')
  const memory = servers.map((server) => `${megabytes(server, 'VmRSS')} MB`).join(' · ')
  console.log(
    `${database.padEnd(10)} emitted ${emitted.toFixed(0)} µs · hand-written ${handwritten.toFixed(0)} µs · ratio ${(handwritten / emitted).toFixed(2)} · memory ${memory}`,
  )
}

async function load({ name, port }: Contestant): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections: 8,
    duration: seconds,
    headers,
  })
  if (result.errors + result.non2xx > 0) throw new Error(`${name} failed`)
  return result.requests.total
}

/** utime and stime are fields 14 and 15 of the process's stat line, in ticks of 10 ms. */
function cpuMicroseconds(server: Contestant): number {
  const stat = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function megabytes(server: Contestant, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

async function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}`)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
