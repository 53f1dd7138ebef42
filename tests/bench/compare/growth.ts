/** How the cost of one request grows with rows, with the depth of a page, with the depth of an include. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBlog, environment } from '../blog.js'
import { fill, openDatabase, type BenchDatabase } from './database.js'
import { installContestant } from './install.js'
import { startLoadGenerator, type LoadGenerator } from './load.js'
import { migrate } from './migrate.js'
import { rounded } from './numbers.js'
import type { DatabaseName, Options } from './options.js'
import type { Growth, Point } from './results.js'
import { becomeIdle, cpuMicroseconds, leaveFirstCore, startServer, type Server } from './server.js'
import { size } from './work.js'

const rowCounts = [1_000, 10_000, 100_000, 1_000_000]
/** Of the table with so many rows. */
const pagesOf = 100_000
const pages = [1, 10, 100, 1_000, 5_000]
const includes = ['posts', 'posts.comments', 'posts.comments.user', 'posts.comments.user.posts']

interface Servers {
  readonly svc: Server
  readonly bare: Server
}

export async function measureGrowth(options: Options): Promise<Pick<Growth, 'databases'>> {
  const bare = installContestant('hono')
  leaveFirstCore()
  const load = startLoadGenerator()
  const databases = []
  try {
    for (const name of options.databases) {
      const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
      try {
        const blog = join(folder, 'blog')
        await buildBlog(blog, name)
        databases.push(await growOn(name, { blog, bare, load, seconds: options.seconds / 2 }))
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  } finally {
    load.stop()
  }
  return { databases }
}

interface Place {
  readonly blog: string
  readonly bare: string
  readonly load: LoadGenerator
  readonly seconds: number
}

async function growOn(name: DatabaseName, place: Place): Promise<Growth['databases'][number]> {
  const points: Record<'rows' | 'pages' | 'includes', Point[]> = {
    rows: [],
    pages: [],
    includes: [],
  }
  let version = ''
  for (const rows of [...rowCounts, size.posts]) {
    console.log(`${name}: ${rows} posts`)
    await withRows(name, rows, place, async (servers, database) => {
      version = database.version
      if (rows === size.posts) {
        for (const [at, include] of includes.entries()) {
          const path = `/api/svc/users/1000?include=${include}`
          const point = await measure('svc', at + 1, include, [path], servers, place)
          points.includes.push(point)
        }
        return
      }
      const show = Array.from({ length: 997 }, (_, n) => `/api/svc/posts/${visible(n, rows)}`)
      for (const who of ['svc', 'bare'] as const) {
        points.rows.push(await measure(who, rows, 'show', show, servers, place))
        points.rows.push(await measure(who, rows, 'index', ['/api/svc/posts'], servers, place))
      }
      if (rows !== pagesOf) return
      for (const page of pages) {
        for (const who of ['svc', 'bare'] as const) {
          const path = `/api/svc/posts?page=${page}`
          points.pages.push(await measure(who, page, 'index', [path], servers, place))
        }
      }
    })
  }
  return { name, version, ...points }
}

/** Every seventh post is a draft. */
const visible = (n: number, rows: number) => {
  const id = 1 + ((n * 7_919) % (rows - 1))
  return id % 7 === 0 ? id + 1 : id
}

async function withRows(
  name: DatabaseName,
  rows: number,
  { blog, bare }: Place,
  work: (servers: Servers, database: BenchDatabase) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const database = await openDatabase(name, folder)
  const started: Server[] = []
  try {
    const env = { ...environment(''), DATABASE_URL: database.url }
    migrate(blog, database.url)
    await fill(database, rows)
    const begin = async (file: string, cwd: string) => {
      const server = await startServer([file], cwd, env)
      started.push(server)
      return server
    }
    const servers = {
      svc: await begin('dist/app/server.js', blog),
      bare: await begin('server.js', bare),
    }
    await work(servers, database)
  } finally {
    for (const server of started) await server.stop()
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One connection, so that the median is what a request takes that is alone. */
async function measure(
  contestant: 'svc' | 'bare',
  at: number,
  what: string,
  paths: readonly string[],
  servers: Servers,
  { load, seconds }: Place,
): Promise<Point> {
  const server = servers[contestant]
  const work = {
    connections: 1,
    requests: paths.map((path) => ({ method: 'GET', path }) as const),
  }
  await load.run(server, { ...work, seconds: seconds / 2 })
  await becomeIdle(server)
  const before = cpuMicroseconds(server)
  const loaded = await load.run(server, { ...work, seconds })
  await becomeIdle(server)
  if (loaded.failed > 0) throw new Error(`${contestant} failed ${loaded.failed} times: ${paths[0]}`)
  const cpu = rounded((cpuMicroseconds(server) - before) / loaded.sent)
  const point = { contestant, at, what, cpu, p50: rounded(loaded.p50, 3) }
  console.log(`${what.padEnd(26)} ${contestant.padEnd(5)} ${at} ${cpu} µs, median ${point.p50} ms`)
  return point
}
