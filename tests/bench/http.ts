/**
 * The emitted blog against a hand-written server with the same answers, on one SQLite file, interleaved in one run.
 * Prints server CPU (user + system) per request and the ratio hand-written / emitted: above 1 the emitted one is cheaper.
 *
 *     npm run bench:http -- [rounds=5] [seconds=3] [show|index|store]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'
import { buildBlog, environment, root } from './blog.js'

const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 3)
const bare = process.env['BENCH_BARE'] !== undefined
const users = 1_000
const posts = 20_000
const token = `1|${'benchtoken'.repeat(4)}`

interface Contestant {
  name: string
  port: number
  process: ChildProcess
}

interface Work {
  name: string
  method: 'GET' | 'POST'
  path: () => string
  body?: string
}

const work: Work[] = [
  { name: 'show', method: 'GET', path: () => `/api/svc/posts/${1 + random(posts)}` },
  { name: 'index', method: 'GET', path: () => `/api/svc/posts?page=${1 + random(200)}` },
  {
    name: 'store',
    method: 'POST',
    path: () => '/api/svc/posts',
    body: JSON.stringify({
      title: 'A post of the bench',
      description: 'Some words',
      published_at: '2026-01-02T03:04:05.000Z',
    }),
  },
]

// BENCH_PROFILE=1 leaves the emitted server's CPU profile in the current folder.
const profile =
  process.env['BENCH_PROFILE'] === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${process.cwd()}`]
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
const servers: Contestant[] = []
try {
  await buildBlog(folder)
  const file = join(folder, 'bench.sqlite')
  await run('node', ['dist/app/migrate.js'], folder, environment(file))
  fill(file)
  const handwritten = join(root, 'tests/bench/handwritten.ts')
  servers.push(
    await start('emitted', 4101, [...profile, 'dist/app/server.js'], file),
    await start('hand-written', 4102, ['--import', 'tsx', handwritten], file),
  )
  await compareAnswers()
  const only = process.argv[4]
  for (const item of work) if (only === undefined || only === item.name) await measure(item)
} finally {
  for (const server of servers) server.process.kill('SIGTERM')
  await Promise.all(servers.map(({ process: child }) => once(child, 'exit')))
  await rm(folder, { recursive: true, force: true })
}

async function start(
  name: string,
  port: number,
  args: string[],
  file: string,
): Promise<Contestant> {
  const child = spawn('node', args, {
    cwd: name === 'emitted' ? folder : root,
    env: { ...environment(file), DATABASE_FILE: file, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (answer !== null) return { name, port, process: child }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${name} does not answer on port ${port}`)
}

/** A ratio between servers that answer differently would mean nothing. */
async function compareAnswers(): Promise<void> {
  for (const path of ['/api/svc/posts/7', '/api/svc/posts?page=3', '/api/svc/posts/3']) {
    const answers = await Promise.all(
      servers.map(async ({ port }) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headers() })
        return {
          status: response.status,
          headers: bare ? [] : sameHeaders(response),
          body: await response.json(),
        }
      }),
    )
    if (!isDeepStrictEqual(answers[0], answers[1])) {
      throw new Error(`answers to ${path} differ:\n${JSON.stringify(answers, null, 2)}`)
    }
  }
}

/** Names and values, without those that differ from request to request. */
function sameHeaders(response: Response): [string, string][] {
  const changing = new Set(['date', 'x-request-id', 'content-length', 'keep-alive', 'connection'])
  // One text of each server's own, which names more with every feature of ours.
  const own = 'access-control-expose-headers'
  return [...response.headers]
    .filter(([name]) => !changing.has(name) && name !== own)
    .map(([name, value]): [string, string] => [name, value.toLowerCase().replaceAll(', ', ',')])
    .toSorted()
}

async function measure(item: Work): Promise<void> {
  const costs = new Map(servers.map((server) => [server.name, [] as number[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const server of servers) {
      const before = cpuMicroseconds(server)
      const requests = await load(server, item)
      const cost = (cpuMicroseconds(server) - before) / requests
      // Round 0 warms up.
      if (round > 0) costs.get(server.name)?.push(cost)
    }
  }
  const [emitted, handwritten] = servers.map(({ name }) => median(costs.get(name) ?? []))
  if (emitted === undefined || handwritten === undefined) throw new Error('nothing was measured')
  console.log(
    `${item.name.padEnd(8)} emitted ${emitted.toFixed(0)} µs · hand-written ${handwritten.toFixed(0)} µs · ratio ${(handwritten / emitted).toFixed(2)}`,
  )
}

async function load(server: Contestant, item: Work): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: 16,
    duration: seconds,
    requests: [
      {
        method: item.method,
        headers: headers(),
        setupRequest: (request) => ({
          ...request,
          path: item.path(),
          ...(item.body === undefined ? {} : { body: item.body }),
        }),
      },
    ],
  })
  if (result.errors > 0) throw new Error(`${server.name} had ${result.errors} errors`)
  const refused = result.non2xx - result['4xx']
  if (refused > 0) throw new Error(`${server.name} answered 5xx`)
  return result.requests.total
}

function headers(): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': 'application/json',
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
  const user = database.prepare(
    'insert into users (name, email, password, is_admin, created_at, updated_at) values (?, ?, ?, 0, ?, ?)',
  )
  const post = database.prepare(
    'insert into posts (title, description, published_at, owner_id, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
  )
  database.transaction(() => {
    for (let n = 1; n <= users; n += 1)
      user.run(`User ${n}`, `user${n}@example.test`, '-', now, now)
    for (let n = 1; n <= posts; n += 1) {
      const published = n % 10 === 0 ? null : now
      post.run(`Post ${n}`, `Text of post ${n}`, published, 1 + (n % users), now, now)
    }
    const hash = createHash('sha256').update(token.slice(2)).digest('hex')
    database
      .prepare(
        'insert into personal_access_tokens (user_id, name, token, last_used_at, created_at) values (1, ?, ?, ?, ?)',
      )
      .run('bench', hash, new Date().toISOString().replace('Z', '+00:00'), now)
  })()
  database.close()
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

function random(below: number): number {
  return Math.floor(Math.random() * below)
}
