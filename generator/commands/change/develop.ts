import { Refusal } from '../../blueprint/refusal.js'
import type { Blueprint } from '../../blueprint/types.js'
import type { NotInstalled } from '../../write/project/installed-packages.js'
import { isInstalled } from '../../write/project/installed.js'
import { targetAt } from '../../write/target.js'
import { npm, untilEnd } from '../children.js'
import type { Features } from '../context.js'
import { migrateProject } from '../database/migrate-project.js'
import { onlyAdds } from '../database/only-adds.js'
import { exitCodes } from '../failure.js'
import { reportFinished, reportGenerated } from '../report/report.js'
import { openCheck, type Check } from './dev/check.js'
import { openDoors } from './dev/doors.js'
import { makeClient } from './dev/make-client.js'
import { pagesAt } from './dev/pages.js'
import { Servers } from './dev/servers.js'
import { openStarter, type Starter } from './dev/standby.js'
import type { Outcome, Rest } from './generate-options.js'
import { generate } from './generate-project.js'
import { watchProject, type Changed } from './watch-project.js'

export interface DevelopOptions {
  readonly root: string
  readonly features: Features
  readonly say: (...lines: readonly string[]) => void
  /** Called with failures that do not end it. */
  readonly report: (error: unknown) => void
  readonly isColored: boolean
  /** On a terminal: before rows go. */
  readonly askLosses?: (() => Promise<boolean>) | undefined
}

/** Runs until a signal; then nothing it started is left. */
export async function develop(options: DevelopOptions): Promise<number> {
  const { root, features, say, report } = options
  if (!isInstalled(targetAt(root), 'tsx')) return generateOnly(options)
  const over = untilEnd()
  const doors = openDoors()
  const session: Session = {
    ...options,
    servers: new Servers({ doors, say, report, onServing: sayOnce(options) }),
    starter: openStarter(root, features),
    check: openCheck(root),
    chores: new AbortController(),
    making: Promise.resolve(),
    isMigrated: false,
    hasInstalled: false,
    rest: null,
    isBehind: false,
    news: '',
  }
  try {
    const first = () => renew(session, { isManifest: true, isSchema: true, paths: [] })
    const again = (changed: Changed) => renewAgain(session, changed)
    const watcher = await watchProject(root, { first, renew: again, report })
    await over
    await watcher.close()
  } finally {
    session.chores.abort()
    await session.servers.close()
    await session.starter.close()
    doors.close()
  }
  return exitCodes.done
}

/** Names the pages of a server, at its first start and where it moved. */
function sayOnce({ say, features }: DevelopOptions): (origin: string) => void {
  const said = new Set<string>()
  return (origin) => {
    if (said.has(origin)) return
    said.add(origin)
    void pagesAt(origin, features).then((pages) => say(...pages.map((page) => `Open ${page}`)))
  }
}

/** A manifest comes first: what it makes says which packages to install. */
async function generateOnly(options: DevelopOptions): Promise<number> {
  const outcome = await regenerate(options)
  const news = newsOf(options, outcome)
  if (news !== '') options.say(news)
  if (!isApplied(outcome)) return exitCodes.problems
  throw new Refusal('Run `npm install` first.')
}

interface Session extends DevelopOptions {
  readonly servers: Servers
  readonly starter: Starter
  readonly check: Check
  /** Work after the server answers; the next change cancels it. */
  chores: AbortController
  /** Prisma's client is being written. */
  making: Promise<void>
  isMigrated: boolean
  /** Installed once: what cannot be had is asked for by hand. */
  hasInstalled: boolean
  /** Work that a run leaves until the server is started: Prisma's client is of an older schema. */
  rest: Rest | null
  /** A run failed, was not applied, or gave way to somebody who kept on saving: any change is a reason for the next one. */
  isBehind: boolean
  /** The report of the last run. */
  news: string
}

/** The old server goes on through failures, and the next change tries again. */
async function renewAgain(session: Session, changed: Changed): Promise<readonly string[]> {
  try {
    return await renew(session, changed)
  } catch (error) {
    session.isBehind = true
    throw error
  }
}

/** Brings the project and its server up to date; answers the paths it wrote, so that they do not count as changes. */
async function renew(session: Session, changed: Changed): Promise<readonly string[]> {
  const { starter, check, servers, report } = session
  session.chores.abort()
  const chores = new AbortController()
  session.chores = chores
  await session.making.catch(() => {})
  starter.note(changed.paths)
  check.noteSaved(changed.paths)
  // Another terminal may have written the schema, and left conflicts to be settled by hand.
  if (changed.isSchema) session.isMigrated = false
  const isDue = changed.isManifest || session.isBehind
  session.isBehind = false
  const outcome = isDue ? await follow(session, changed) : unread
  session.isBehind = outcome === null
  if (outcome === null && changed.isManifest) return []
  const followed = outcome ?? unread
  const { written } = followed
  starter.note(written)
  if (session.rest?.isServed === true) await finish(session, chores.signal)
  if (!isInstalled(targetAt(session.root), 'tsx')) return written
  // Two processors, two things that wait for nothing of each other's.
  const prepared = starter.prepare()
  if (written.some((path) => path.startsWith('prisma/'))) session.isMigrated = false
  if (!session.isMigrated) session.isMigrated = await migrate(session, followed, prepared)
  const start = await prepared
  if (!session.isMigrated) {
    void finishAndCheck(session, chores.signal).catch(report)
    return written
  }
  if (typeof start !== 'function') {
    servers.open()
    session.say(...start, notStarted)
    return written
  }
  const served = servers.replace(start)
  void served.then(() => afterwards(session, chores.signal)).catch(report)
  return written
}

/** Nobody waits for these, and they wait for the server. */
async function afterwards(session: Session, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  session.starter.warm()
  await finishAndCheck(session, signal)
}

/** Lines that broke are named where the server waits for its database, too. */
async function finishAndCheck(session: Session, signal: AbortSignal): Promise<void> {
  session.making = finish(session, signal)
  await session.making
  if (signal.aborted) return
  const checked = await session.check.run(signal)
  if (checked !== null) session.say(...reportFinished({ checked, clientFailure: null }).lines)
}

interface Followed {
  readonly written: readonly string[]
  /** Absent: the manifest was not read. */
  readonly blueprint?: Blueprint
}

const unread: Followed = { written: [] }

/** Open problems are named again only after the manifest was saved again. */
async function follow(session: Session, { isManifest }: Changed): Promise<Followed | null> {
  const outcome = await regenerate(session)
  const news = newsOf(session, outcome)
  const isSaid = news === session.news
  session.news = news
  if (news !== '' && (isManifest || !isSaid)) session.say(news)
  if (!isApplied(outcome)) return null
  session.rest = outcome.rest
  session.check.noteRun(outcome)
  if (outcome.notInstalled !== null) await install(session, outcome.notInstalled)
  const { blueprint, prepared } = outcome
  return { written: prepared.changes.map(({ path }) => path), blueprint }
}

/** A newer svckit has a newer runtime, and a feature may need a package. */
async function install(session: Session, other: NotInstalled): Promise<void> {
  if (session.hasInstalled) return
  session.hasInstalled = true
  session.say(`${other.text}: ${other.command}`)
  const [manager, ...words] = other.command.split(' ')
  if ((await npm(session.root, words, manager)) === 0) return
  session.say(`\`${other.command}\` failed. The server keeps running with the installed packages.`)
}

type Planned = Extract<Outcome, { kind: 'planned' }>

/**
 * Generates again. If nothing is applied, the project does not match the manifest, and the old
 * server goes on.
 */
const regenerate = ({ root, features }: DevelopOptions): Promise<Outcome> =>
  generate(root, {
    ...{ features, conflicts: 'stop', force: false, isWriting: true },
    ...{ onlyClean: true, wantsClient: true },
  })

const isApplied = (outcome: Outcome): outcome is Planned =>
  outcome.kind === 'planned' && outcome.isWritten

/** Empty: nothing changed. */
function newsOf({ isColored }: DevelopOptions, outcome: Outcome): string {
  const { lines } = reportGenerated(outcome, { ...reporting, isColored })
  if (outcome.kind === 'problems') return lines.join('\n')
  if (!outcome.isWritten) return [...lines, '', notApplied].join('\n')
  return outcome.prepared.changes.length > 0 ? lines.join('\n') : ''
}

const notApplied =
  'Not applied while watching: run `svc generate`, which settles conflicts and removes sign-in.'

const reporting = { isChecking: false, isWriting: true } as const

/** The slowest step of a run: for the seed, the editor and the tests. */
async function finish(session: Session, signal: AbortSignal): Promise<void> {
  const { rest, check, root, say } = session
  if (rest?.makesClient !== true) return
  check.noteClient()
  const clientFailure = await makeClient(root, signal)
  if (signal.aborted) return
  // Work that failed is tried again after the next change.
  if (clientFailure === null) session.rest = null
  say(...reportFinished({ checked: null, clientFailure }).lines)
}

/**
 * Migrates. If the running server could not go on with the new database, its requests wait for the
 * next one.
 */
async function migrate(
  { root, features, say, servers, askLosses }: Session,
  { blueprint }: Followed,
  prepared: Promise<unknown>,
): Promise<boolean> {
  const before = async (sql: string) => {
    if (onlyAdds(sql)) return
    await prepared.catch(() => {})
    await servers.shut()
  }
  let isMigrated = false
  try {
    isMigrated = await migrateProject({
      ...{ root, features, say, acceptDataLoss: false, blueprint, before, askLosses },
    })
  } finally {
    if (!isMigrated) servers.open()
  }
  if (!isMigrated) say(...waiting)
  return isMigrated
}

const notStarted = 'svc did not start the server. It starts after the next change.'

const waiting = [
  'The database is not up to date, so svc did not restart the server.',
  'It starts once you have run `svc migrate` in another terminal, or after the next change.',
]
