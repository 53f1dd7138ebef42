/** How generating, starting and answering grow with the number of repositories. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteDriver } from '../../../runtime/database/sqlite/driver.js'
import { environment, root } from '../blog.js'
import { generate, writeManifest } from '../items.js'
import { startLoadGenerator, type LoadGenerator } from './load.js'
import { migrate } from './migrate.js'
import { rounded } from './numbers.js'
import type { RepositoryPoint } from './results.js'
import { becomeIdle, cpuMicroseconds, takeAllCores, memoryMb, startServer } from './server.js'

const sizes = [10, 100, 1_000, 5_000]

export async function measureRepositories(): Promise<RepositoryPoint[]> {
  // svc generate has threads.
  takeAllCores()
  const load = startLoadGenerator()
  const points: RepositoryPoint[] = []
  try {
    for (const size of sizes) {
      const point = await measureSize(size, load).catch((error: unknown) => ({
        size,
        failed: String(error).slice(0, 300),
      }))
      console.log(JSON.stringify(point))
      points.push(point)
    }
  } finally {
    load.stop()
  }
  return points
}

async function measureSize(size: number, load: LoadGenerator): Promise<RepositoryPoint> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    await writeManifest(folder, size)
    const bare = { SVC_SKIP_PRISMA_CLIENT: '1' }
    const generated = await generate(folder, bare)
    const again = await generate(folder, bare)
    await openPolicy(folder)
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const file = join(folder, 'bench.sqlite')
    const env = environment(file)
    run(folder, env, 'node', join(root, 'dist/cli.js'), 'migrate', 'save', 'init')
    run(folder, env, 'npm', 'run', '--ignore-scripts', 'build')
    migrate(folder, `file:${file}`)
    addRow(file)
    return {
      size,
      generated: {
        ms: Math.round(generated.ms),
        cpu: Math.round(generated.cpu),
        mb: Math.round(generated.mb),
      },
      again: { ms: Math.round(again.ms), cpu: Math.round(again.cpu), mb: Math.round(again.mb) },
      ...(await measureServer(folder, env, load)),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** For everybody: there are no users. */
async function openPolicy(folder: string): Promise<void> {
  const path = join(folder, 'app/Policies/Item1Policy.ts')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('show: () => false', 'show: () => true'))
}

/** `svc migrate save` prints the whole migration: megabytes, and `spawnSync` ends a child for more than one. */
function run(cwd: string, env: NodeJS.ProcessEnv, command: string, ...line: string[]): void {
  const { status, signal, stdout, stderr } = spawnSync(command, line, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (status === 0) return
  const said = `${stderr}${stdout}`.slice(0, 1_000)
  const asked = line.join(' ').replace(root, '')
  throw new Error(`${asked} ended with ${status ?? signal}: ${said}`)
}

function addRow(file: string): void {
  const database = new SqliteDriver(file)
  const now = `'2026-01-01T00:00:00.000+00:00'`
  database.exec(
    `insert into item1s (name, amount, price, is_active, created_at, updated_at) values ('One', 1, 2, 1, ${now}, ${now})`,
  )
  database.close()
}

async function measureServer(folder: string, env: NodeJS.ProcessEnv, load: LoadGenerator) {
  const server = await startServer(['dist/app/server.js'], folder, env)
  try {
    const startCpu = cpuMicroseconds(server) / 1_000
    const startMb = memoryMb(server, 'VmRSS')
    const requests = [{ method: 'GET', path: '/api/svc/item1s/1' } as const]
    await load.run(server, { connections: 16, requests, seconds: 1 })
    await becomeIdle(server)
    const before = cpuMicroseconds(server)
    const loaded = await load.run(server, { connections: 16, requests, seconds: 2 })
    await becomeIdle(server)
    if (loaded.failed > 0) throw new Error(`${loaded.failed} requests failed`)
    const showCpu = rounded((cpuMicroseconds(server) - before) / loaded.sent)
    return { startMs: Math.round(server.startMs), startCpu, startMb, showCpu }
  } finally {
    await server.stop()
  }
}
