/**
 * How long `svc dev` takes from a save until the server answers with it, as people run it: the blog, and manifests of 100
 * and 1,000 repositories, with `node_modules` and rows. The answer asked for is one that only the save gives. Medians, and
 * the processor time of `svc dev` and all it started, until the answer and until it is idle again (Linux only).
 *
 *     npm run bench:dev -- [rounds=5] [what=blog,100,1000]
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from './blog.js'
import { writeManifest } from './items.js'
import { cpuOfTree } from './process-tree.js'

const rounds = Number(process.argv[2] ?? 5)
const port = 43_117
const cli = join(root, 'dist/cli.js')

const route = `
api.get('/round', (c) => {
  const policy: unknown = Reflect.get(globalThis, 'policy')
  return c.text(['round', process.pid, 'policy', policy, 'route x', ''].join(' '))
})
`

interface Paths {
  readonly manifest: string
  readonly policy: string
}

async function makeBlog(folder: string): Promise<Paths> {
  step(folder, 'node', cli, 'new', '.', '--example', 'blog')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  step(folder, 'node', cli, 'migrate')
  step(folder, 'npm', 'run', 'seed')
  return { manifest: 'manifest/posts.ts', policy: 'app/Policies/PostPolicy.ts' }
}

async function makeItems(folder: string, size: number): Promise<Paths> {
  await writeManifest(folder, size, 'readerThreads: false, reads: [],')
  step(folder, 'node', cli, 'generate')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  step(folder, 'node', cli, 'migrate')
  return { manifest: 'manifest/item1.ts', policy: 'app/Policies/Item1Policy.ts' }
}

async function measureAll(folder: string, { manifest, policy }: Paths): Promise<void> {
  await edit(folder, 'routes/api.ts', (text) => `${text}${route}`)
  const env = { ...process.env, PORT: String(port), NODE_ENV: 'development', LOG_LEVEL: 'warn' }
  const child = spawn('node', [cli, 'dev'], { cwd: folder, env, stdio: ['ignore', 'pipe', 2] })
  let said = ''
  child.stdout?.on('data', (chunk) => (said += String(chunk)))
  const took: Record<string, Took[]> = {}
  const measure = async (
    name: string,
    save: () => Promise<void>,
    isServed: () => Promise<boolean>,
  ) => void (took[name] ??= []).push(await untilServed(child.pid ?? 0, save, isServed))
  const has = async (path: string, text: string) => (await ask(path)).includes(text)
  try {
    while (!(await has('/api/round', 'round'))) await pause(50)
    await idle(child.pid ?? 0)
    for (let round = 0; round < rounds; round += 1) {
      const mark = `mark${round}${'x'.repeat(round)}`
      await measure(
        'manifest',
        () =>
          edit(folder, manifest, (text) =>
            text
              .replace(/description: '\w+',\n/, '')
              .replace('repository({', `repository({\ndescription: '${mark}',`),
          ),
        () => has('/openapi.json', `"${mark}"`),
      )
      await measure(
        'manifest, a column',
        () =>
          edit(folder, manifest, (text) =>
            text.replace('fields: {', `fields: { ${mark}: text().nullable(),`),
          ),
        () => has('/openapi.json', `"${mark}"`),
      )
      await measure(
        'policy',
        () =>
          edit(
            folder,
            policy,
            (text) => `${text}\nObject.assign(globalThis, { policy: '${mark}' })\n`,
          ),
        () => has('/api/round', `policy ${mark} `),
      )
      await measure(
        'own route',
        () =>
          edit(folder, 'routes/api.ts', (text) => text.replace(/'route \w*'/, `'route ${mark}'`)),
        () => has('/api/round', `route ${mark} `),
      )
    }
  } catch (error) {
    console.error(said)
    throw error
  } finally {
    child.kill('SIGINT')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  for (const [name, each] of Object.entries(took)) {
    const of = (key: keyof Took) => median(each.map((one) => one[key])).padStart(6)
    console.log(
      `  ${name.padEnd(20)}${of('ms')} ms${of('cpu')} ms of CPU until it is served${of('cpuIdle')} ms until idle`,
    )
  }
}

interface Took {
  readonly ms: number
  readonly cpu: number
  readonly cpuIdle: number
}

/** The server's process tells whether asking for more is worth it: the API's document is large. */
async function untilServed(
  pid: number,
  save: () => Promise<void>,
  isServed: () => Promise<boolean>,
): Promise<Took> {
  const before = await cpuOfTree(pid)
  const old = pidIn(await ask('/api/round'))
  const started = performance.now()
  await save()
  for (;;) {
    await pause(10)
    if (performance.now() - started > 60_000) throw new Error('It is not served.')
    const now = pidIn(await ask('/api/round'))
    if (now !== old && now !== undefined && (await isServed())) break
  }
  const ms = performance.now() - started
  const cpu = (await cpuOfTree(pid)) - before
  return { ms, cpu, cpuIdle: (await idle(pid)) - before }
}

const pidIn = (text: string) => /round (\d+)/.exec(text)?.[1]

/** Resolves when a second went by in which next to nothing was done. */
async function idle(pid: number): Promise<number> {
  for (let last = Number.NEGATIVE_INFINITY; ;) {
    const now = await cpuOfTree(pid)
    if (now - last < 30) return now
    last = now
    await pause(1000)
  }
}

/** On a connection of its own; empty when it is refused. */
function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
      response.once('end', () => resolve(text))
    }).once('error', () => resolve(''))
  })
}

async function edit(folder: string, path: string, change: (text: string) => string): Promise<void> {
  const file = join(folder, path)
  await writeFile(file, change(await readFile(file, 'utf8')))
}

function step(cwd: string, command: string, ...line: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, line, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${line.join(' ')}\n${stdout}${stderr}`)
}

function median(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0)
}

for (const what of (process.argv[3] ?? 'blog,100,1000').split(',')) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const paths = what === 'blog' ? await makeBlog(folder) : await makeItems(folder, Number(what))
  console.log(what === 'blog' ? 'the blog' : `${what} repositories`)
  await measureAll(folder, paths)
  await rm(folder, { recursive: true })
}
