/** Manifests of many alike repositories, and what `svc generate` takes for one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './blog.js'

export interface Took {
  readonly ms: number
  /** Until the first line. */
  readonly answer: number
  readonly cpu: number
  readonly mb: number
}

/** Options without which a manifest has the features of a new project. */
const bare = 'openapi: false, authorizationTests: false, readerThreads: false, reads: [],'

export async function writeManifest(folder: string, size: number, more = bare): Promise<void> {
  await mkdir(join(folder, 'manifest'))
  const numbers = Array.from({ length: size }, (_, index) => index + 1)
  for (const n of numbers) {
    await writeFile(join(folder, `manifest/item${n}.ts`), repositoryText(n, size, 160))
  }
  const imports = numbers.map((n) => `import { item${n}s } from './item${n}.js'`).join('\n')
  const names = numbers.map((n) => `item${n}s`).join(', ')
  await writeFile(
    join(folder, 'manifest/index.ts'),
    `import { defineManifest } from 'svckit'\n${imports}\n\nexport default defineManifest({ database: 'sqlite', ${more} repositories: { ${names} } })\n`,
  )
}

/** In rings of a hundred: Node's loader follows no chain of imports through all of 5,000 (its stack ends at some 4,000). */
const ring = 100

function neighbourOf(n: number, size: number): number {
  const first = n - ((n - 1) % ring)
  return n === Math.min(first + ring - 1, size) ? first : n + 1
}

/** A repository with six fields that belongs to its neighbour. */
export function repositoryText(n: number, size: number, max: number, more = ''): string {
  const next = neighbourOf(n, size)
  return `import { belongsTo, boolean, dateTime, decimal, integer, repository, text, textarea } from 'svckit'

export const item${n}s = repository({
  title: 'name',
  searchable: ['name'],
  match: { is_active: 'boolean' },
  sort: ['id', 'name'],
  fields: {
    name: text().max(${max}),
    notes: textarea().nullable(),
    amount: integer(),
    price: decimal(10, 2),
    is_active: boolean().default(true),
    seen_at: dateTime().nullable(), ${more}
  },
  related: {
    neighbour: belongsTo('item${next}s').nullable(),
  },
})
`
}

export async function generate(
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
