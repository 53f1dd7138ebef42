/** All contestants on both databases. One that cannot be installed, or does not answer like the others, is reported. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBlog } from '../blog.js'
import { contestants, type Contestant } from './contestants.js'
import { fill, openDatabase, removeStored, type BenchDatabase } from './database.js'
import { contestantsFolder, installContestant } from './install.js'
import { startLoadGenerator, type LoadGenerator } from './load.js'
import { migrate } from './migrate.js'
import type { Options } from './options.js'
import type { Comparison, Measured } from './results.js'
import { measuredOf, measureItem } from './rounds.js'
import { begin, type Running } from './running.js'
import { leaveFirstCore } from './server.js'
import { workItems } from './work.js'

interface Failed {
  readonly name: string
  readonly failed: string
}

export async function compare(options: Options): Promise<Pick<Comparison, 'databases'>> {
  const { chosen, folders, failed } = install(options)
  leaveFirstCore()
  const load = startLoadGenerator()
  const databases = []
  try {
    for (const name of options.databases) {
      const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
      const database = await openDatabase(name, folder)
      try {
        const here = chosen.filter(({ databases }) => databases.includes(name))
        const [blog, ofNew] = ['blog', 'new'].map((each) => join(folder, each)) as [string, string]
        const hasNew = here.some(({ isNew }) => isNew)
        await makeEmitted(blog, hasNew ? ofNew : null, database)
        const folderOf = (each: Contestant) =>
          folders.get(each.folder ?? '') ?? (each.isNew ? ofNew : blog)
        const measured = await measure(here, folderOf, database, load, options)
        databases.push({
          name,
          version: database.version,
          contestants: [
            ...measured,
            ...failed.filter((each) => here.some((one) => one.name === each.name)),
          ],
        })
      } finally {
        await database.stop()
        await rm(folder, { recursive: true, force: true })
      }
    }
  } finally {
    load.stop()
  }
  return { databases }
}

/** Where each contestant lies; one that cannot be installed is reported, and the others run. */
function install({ contestants: names }: Options) {
  const wanted = contestants.filter(({ name }) => names?.includes(name) ?? true)
  const folders = new Map<string, string>()
  const failed: Failed[] = []
  for (const { name, folder } of wanted) {
    if (folder === null || folders.has(folder)) continue
    try {
      console.log(`installing ${folder}`)
      folders.set(folder, installContestant(folder))
    } catch (error) {
      failed.push(failure(name, error))
    }
  }
  const chosen = wanted.filter(({ folder }) => folder === null || folders.has(folder))
  return { chosen, folders, failed }
}

const failure = (name: string, error: unknown): Failed => {
  const failed = error instanceof Error ? error.message : String(error)
  console.log(`${name} failed: ${failed}`)
  return { name, failed: failed.slice(0, 300) }
}

/** @param ofNew Its tables have a few columns more, which have defaults; null: it is not measured. */
async function makeEmitted(
  blog: string,
  ofNew: string | null,
  database: BenchDatabase,
): Promise<void> {
  console.log(`building the emitted server for ${database.version}`)
  await buildBlog(blog, database.name)
  if (ofNew !== null) await buildBlog(ofNew, database.name, { isNew: true })
  migrate(ofNew ?? blog, database.url)
  await fill(database)
  if (database.name !== 'postgresql') return
  await database.execute(readFileSync(join(contestantsFolder, 'postgraphile/setup.sql'), 'utf8'))
}

async function measure(
  chosen: readonly Contestant[],
  folderOf: (contestant: Contestant) => string,
  database: BenchDatabase,
  load: LoadGenerator,
  options: Options,
): Promise<Measured[]> {
  const running: Running[] = []
  const failed: Failed[] = []
  try {
    for (const contestant of chosen) {
      try {
        running.push(await begin(contestant, folderOf(contestant), database, running[0]?.answers))
      } catch (error) {
        failed.push(failure(contestant.name, error))
      }
    }
    await removeStored(database)
    for (const item of workItems) {
      if (options.work?.includes(item) ?? true)
        await measureItem(item, running, load, database, options)
      if (item === 'store') await removeStored(database)
    }
    return [...running.map(measuredOf), ...failed]
  } finally {
    for (const { server } of running) await server.stop()
  }
}
