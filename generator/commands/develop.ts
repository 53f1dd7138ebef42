import type { ChildProcess } from 'node:child_process'
import { isInstalled } from '../write/installed.js'
import { Refusal } from '../write/refusal.js'
import { targetAt } from '../write/target.js'
import { ended, hasEnded, startBehind, stop, untilEnd } from './children.js'
import { openDoors, type Doors } from './dev/doors.js'
import { exitCodes } from './failure.js'
import type { Outcome, Rest } from './generate-options.js'
import { generate } from './generate-project.js'
import { migrateProject } from './migrate-project.js'
import { reportFinished, reportGenerated } from './report.js'
import { watchProject, type Changed } from './watch-project.js'

export interface DevelopOptions {
  readonly root: string
  readonly say: (...lines: readonly string[]) => void
  /** Called with failures that do not end it. */
  readonly report: (error: unknown) => void
  readonly isColored: boolean
}

/** Runs until a signal; then nothing it started is left. */
export async function develop(options: DevelopOptions): Promise<number> {
  const { root, report } = options
  const session: Session = {
    ...options,
    server: null,
    isMigrated: false,
    rest: null,
    doors: openDoors(),
    isBehind: false,
  }
  if (!isInstalled(targetAt(root), 'tsx')) return generateOnly(session)
  const over = untilEnd()
  try {
    await renew(session, { isManifest: true, isSchema: true })
    const again = (changed: Changed) => renewAgain(session, changed)
    const watcher = await watchProject(root, { renew: again, report })
    await over
    await watcher.close()
  } finally {
    if (session.server !== null) await stop(session.server)
    session.doors.close()
  }
  return exitCodes.done
}

/** A manifest comes first: what it makes says which packages to install. */
async function generateOnly(session: Session): Promise<number> {
  if ((await regenerate(session)) === null) return exitCodes.problems
  throw new Refusal('Run `npm install` first.')
}

interface Session extends DevelopOptions {
  server: ChildProcess | null
  readonly doors: Doors
  isMigrated: boolean
  /** What is left of a run until the server is started: Prisma's client is of an older schema. */
  rest: Rest | null
  /** A run failed, or gave way to somebody who kept on saving: any change is a reason for the next one. */
  isBehind: boolean
}

/** The old server goes on through failures, and the next change tries again. */
async function renewAgain(session: Session, changed: Changed): Promise<readonly string[]> {
  const isManifest = changed.isManifest || session.isBehind
  session.isBehind = false
  try {
    return await renew(session, { ...changed, isManifest })
  } catch (error) {
    session.isBehind = true
    throw error
  }
}

/** Brings the project and its server up to date; answers the paths it wrote, so that they do not count as changes. */
async function renew(session: Session, changed: Changed): Promise<readonly string[]> {
  const written = changed.isManifest ? await regenerate(session) : []
  if (written === null) return []
  const isFirst = session.rest?.isServed === true
  if (isFirst) await finish(session)
  if (!isInstalled(targetAt(session.root), 'tsx')) return written
  const isSchema = changed.isSchema || written.some((path) => path.startsWith('prisma/'))
  if (isSchema) session.isMigrated = false
  if (!session.isMigrated) session.isMigrated = await migrate(session)
  if (session.isMigrated) await restart(session)
  if (!isFirst) await finish(session).catch(session.report)
  return written
}

/** Null: the project is not what the manifest says, and the old server goes on. */
async function regenerate(session: Session): Promise<readonly string[] | null> {
  const { root, say, isColored } = session
  const options = {
    conflicts: 'stop',
    force: false,
    isWriting: true,
    onlyClean: true,
    wantsClient: true,
  } as const
  const outcome = await generate(root, options)
  if (isNews(outcome)) say(...reportGenerated(outcome, { ...reporting, isColored }).lines)
  if (outcome.kind === 'problems') return null
  session.rest = outcome.rest
  if (outcome.isWritten) return outcome.prepared.changes.map(({ path }) => path)
  say('', 'Not applied while watching: `svc generate` removes files and settles conflicts.')
  return null
}

const reporting = { isChecking: false, isWriting: true } as const

const isNews = (outcome: Outcome) =>
  outcome.kind === 'problems' || outcome.prepared.changes.length > 0 || !outcome.isWritten

/** The slowest step of a run, while the server starts: for the seed, the editor and the tests. */
async function finish(session: Session): Promise<void> {
  if (session.rest === null) return
  const finished = await session.rest.finish()
  // What failed is tried again after the next change.
  if (finished.clientFailure === null) session.rest = null
  session.say(...reportFinished(finished).lines)
}

async function migrate({ root, say }: Session): Promise<boolean> {
  const isMigrated = await migrateProject({ root, say, acceptDataLoss: false })
  if (!isMigrated) say(...waiting)
  return isMigrated
}

const waiting = [
  'The database is not up to date, so the server was not started again.',
  'It starts when `svc migrate` has brought the database up in another terminal, or with the next change.',
]

async function restart(session: Session): Promise<void> {
  session.doors.hold()
  if (session.server !== null) await stop(session.server)
  const server = startBehind(session.root)
  session.server = server
  session.doors.serve(server)
  const over = ended(server).then((code) => {
    // One that is stopped while it starts ends by the signal.
    if (session.server !== server || !hasEnded(server) || server.killed) return
    session.doors.refuse()
    if (code !== 0) session.say('The server stopped. It starts again with the next change.')
  })
  // It could not be started at all.
  over.catch(session.report)
}
