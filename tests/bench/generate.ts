/**
 * How long `svc generate` takes for 10, 100 and 1,000 repositories: a fresh project, nothing changed, one repository changed.
 * The latter also as people run it: with `node_modules`, a client of Prisma and a policy that was edited; and with a field
 * more, after which that policy is compiled. Whole processes, medians. Folders are removed at the end: ext4
 * without a journal makes files several times slower for minutes after thousands were deleted.
 *
 *     npm run bench:generate -- [runs=5] [sizes=10,100,1000]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './blog.js'
import { repositoryText, writeManifest } from './items.js'

const runs = Number(process.argv[2] ?? 5)
const sizes = (process.argv[3] ?? '10,100,1000').split(',').map(Number)
const folders: string[] = []

interface Took {
  readonly ms: number
  /** Until the first line. */
  readonly answer: number
  readonly cpu: number
  readonly mb: number
}

const bare = { SVC_SKIP_PRISMA_CLIENT: '1' }

for (const size of sizes) {
  const took: Record<string, Took[]> = {}
  for (let run = 0; run < runs; run += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
    folders.push(folder)
    await writeManifest(folder, size)
    const change = (max: number, more = '') =>
      writeFile(join(folder, 'manifest/item1.ts'), repositoryText(1, size, max, more))
    const measure = async (what: string, env: Record<string, string>) =>
      void (took[what] ??= []).push(await generate(folder, env))
    await measure('fresh', bare)
    await measure('same', bare)
    await change(200)
    await measure('one changed', bare)
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await generate(folder, {}, '--client')
    await editPolicy(folder)
    await change(210)
    await measure('as people run it', {})
    await change(210, 'extra: text().nullable(),')
    await measure('a field more', {})
  }
  console.log(`${size} repositories`)
  for (const [what, each] of Object.entries(took)) {
    const of = (key: keyof Took) => median(each.map((one) => one[key])).padStart(6)
    console.log(
      `  ${what.padEnd(18)}${of('answer')} ms to the answer${of('ms')} ms${of('cpu')} ms of CPU${of('mb')} MB`,
    )
  }
}

for (const folder of folders) await rm(folder, { recursive: true })

async function editPolicy(folder: string): Promise<void> {
  const path = join(folder, 'app/Policies/Item1Policy.ts')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('show: () => false', 'show: () => ({ is_active: true })'))
}

async function generate(
  folder: string,
  env: Record<string, string>,
  ...line: readonly string[]
): Promise<Took> {
  const usage = join(folder, 'usage.jsonl')
  const started = performance.now()
  const preload = fileURLToPath(new URL('usage.mjs', import.meta.url))
  const child = spawn(process.execPath, [join(root, 'dist/cli.js'), 'generate', ...line], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: `--import ${preload}`, USAGE: usage, ...env },
  })
  let answer = Number.NaN
  let said = ''
  const hear = (chunk: Buffer) => {
    if (said === '') answer = performance.now() - started
    said += String(chunk)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const [code] = await once(child, 'close')
  const ms = performance.now() - started
  if (code !== 0) throw new Error(`svc generate exited with ${code}\n${said}`)
  const used = (await readFile(usage, 'utf8')).trim().split('\n')
  await rm(usage)
  const each: { cpu: number; mb: number }[] = used.map((text) => JSON.parse(text))
  const cpu = each.reduce((sum, one) => sum + one.cpu, 0)
  return { ms, answer, cpu, mb: Math.max(...each.map(({ mb }) => mb)) }
}

function median(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0)
}
