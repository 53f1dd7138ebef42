/**
 * How long `svc generate` takes for 10, 100 and 1,000 repositories: a fresh project, nothing changed, one repository changed.
 * Whole processes, the client of Prisma left out (SVC_SKIP_PRISMA_CLIENT), medians. Folders are removed at the end: ext4
 * without a journal makes files several times slower for minutes after thousands were deleted.
 *
 *     npm run bench:generate -- [runs=5]
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './blog.js'

const runs = Number(process.argv[2] ?? 5)
const folders: string[] = []

for (const size of [10, 100, 1000]) {
  const fresh: number[] = []
  const same: number[] = []
  const changed: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
    await writeManifest(folder, size)
    fresh.push(generate(folder))
    same.push(generate(folder))
    await writeFile(join(folder, 'manifest/item1.ts'), repositoryText(1, size, 200))
    changed.push(generate(folder))
    folders.push(folder)
  }
  console.log(
    `${String(size).padStart(4)} repositories: fresh ${median(fresh)} ms · same ${median(same)} ms · one changed ${median(changed)} ms`,
  )
}

for (const folder of folders) await rm(folder, { recursive: true })

async function writeManifest(folder: string, size: number): Promise<void> {
  await mkdir(join(folder, 'manifest'))
  const numbers = Array.from({ length: size }, (_, index) => index + 1)
  for (const n of numbers) {
    await writeFile(join(folder, `manifest/item${n}.ts`), repositoryText(n, size, 160))
  }
  const imports = numbers.map((n) => `import { item${n}s } from './item${n}.js'`).join('\n')
  const names = numbers.map((n) => `item${n}s`).join(', ')
  await writeFile(
    join(folder, 'manifest/index.ts'),
    `import { defineManifest } from 'svckit'\n${imports}\n\nexport default defineManifest({ database: 'sqlite', repositories: { ${names} } })\n`,
  )
}

/** A repository with six fields that belongs to its neighbour. */
function repositoryText(n: number, size: number, max: number): string {
  const next = (n % size) + 1
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
    seen_at: dateTime().nullable(),
  },
  related: {
    neighbour: belongsTo('item${next}s').nullable(),
  },
})
`
}

function generate(folder: string): number {
  const started = performance.now()
  const { status, stderr, stdout } = spawnSync('node', [join(root, 'dist/cli.js'), 'generate'], {
    cwd: folder,
    env: { ...process.env, SVC_SKIP_PRISMA_CLIENT: '1' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`svc generate exited with ${status}\n${stdout}\n${stderr}`)
  return performance.now() - started
}

function median(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0)
}
