/**
 * How long `svc generate` takes for 10, 100 and 1,000 repositories: a fresh project, nothing changed, one repository changed.
 * The latter also as people run it: with `node_modules`, a client of Prisma and a policy that was edited; and with a field
 * more, after which that policy is compiled. Whole processes, medians. Folders are removed at the end: ext4
 * without a journal makes files several times slower for minutes after thousands were deleted.
 *
 *     npm run bench:generate -- [runs=5] [sizes=10,100,1000]
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './blog.js'
import { generate, repositoryText, writeManifest, type Took } from './items.js'

const runs = Number(process.argv[2] ?? 5)
const sizes = (process.argv[3] ?? '10,100,1000').split(',').map(Number)
const folders: string[] = []

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

function median(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0)
}
