import { createHash } from 'node:crypto'
import { Refusal } from '../../blueprint/refusal.js'
import { migrationPaths } from '../../migrations/migrations.js'
import { isInstalled } from '../../write/project/installed.js'
import { readJournal, type Entry } from '../../write/run/journal.js'
import { alone } from '../../write/run/run-lock.js'
import type { Taken } from '../../write/run/take-back.js'
import { undo } from '../../write/run/undo.js'
import { at, svcPaths, targetAt, type Target } from '../../write/target.js'
import { askStatus } from '../database/project-database.js'
import { refreshClient } from './prisma-client.js'

/**
 * Lists the files of the first run: taking it back removes the project. Null: there is an earlier
 * one.
 */
export function madeByFirstRun(root: string): readonly string[] | null {
  const journal = readJournal(targetAt(root))
  if (journal?.state !== 'done' || journal.entries.some(({ before }) => before !== null))
    return null
  const paths = journal.entries.flatMap(({ path }) => (path.startsWith('.svc/') ? [] : [path]))
  return paths.includes(svcPaths.lock) ? paths : null
}

export interface Undone {
  readonly taken: Taken
  /** Why Prisma's client was not made; null: it was, or need not be. */
  readonly clientFailure: string | null
}

export function undoLastRun(root: string): Promise<Undone> {
  const target = targetAt(root)
  return alone(target, async () => {
    await refuseWhenApplied(target)
    const taken = undo(target)
    return { taken, clientFailure: await refreshClient(target) }
  })
}

const saved = /^prisma\/migrations\/([^/]+)\/migration\.sql$/

/** A migration in a database has no way back that svc could take: its file must stay. */
async function refuseWhenApplied(target: Target): Promise<void> {
  const journal = readJournal(target)
  const written = journal?.state === 'done' ? journal.entries.filter(isMigration) : []
  if (written.length === 0 || !isInstalled(target, 'tsx') || !hasDatabase(target)) return
  // Without a database to ask there is none that the run could have reached.
  const status = await askStatus(target.root).catch(() => null)
  if (status === null) return
  const taken = status.draft?.checksum
  const applied = written.filter(({ path }) => {
    const name = saved.exec(path)?.[1]
    return name === undefined ? taken === draftChecksum(target) : status.applied.includes(name)
  })
  if (applied.length > 0) throw new Refusal(refusal(applied.map(({ path }) => path)))
}

/** Asking a SQLite database that is not there would make it. */
function hasDatabase({ root, files }: Target): boolean {
  const isSqlite = files.read(`${root}/app/database.ts`)?.includes('/sqlite/') === true
  const isElsewhere =
    process.env['DATABASE_URL'] !== undefined || files.kind(`${root}/.env`) !== null
  return !isSqlite || isElsewhere || files.kind(`${root}/storage/database.sqlite`) !== null
}

const isMigration = ({ path, after }: Entry) =>
  after !== null && (path === migrationPaths.draft || saved.test(path))

/** As the runtime notes it. */
function draftChecksum(target: Target): string | null {
  const text = target.files.read(at(target, migrationPaths.draft))
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}

const refusal = (paths: readonly string[]) =>
  `This database has applied a migration of the last run:\n${paths
    .map((path) => `  ${path}`)
    .join(
      '\n',
    )}\nNothing was undone. Change the manifest back and run \`svc generate\`: the next migration reverts it.`
