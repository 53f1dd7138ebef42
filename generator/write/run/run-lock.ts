import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { posix } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { uuidPattern } from '../../../runtime/kinds/uuid.js'
import { Refusal } from '../../blueprint/refusal.js'
import { explained, systemCode } from '../refusal.js'
import { at, svcPaths, type Target } from '../target.js'
import { symlinkOnTheWay } from './symlinks.js'
import { tellOfWait } from './waits.js'

/*
 * Who writes the project is said by `run.lock`. A process that was killed leaves its lock behind, and the next one does
 * not touch it: it adds its own under a name made from the dead text, `run.lock.<hash>`, and the next after that adds one
 * to that one. The last of the chain holds the project. Each name is taken by one process only (`place` never replaces a
 * file) and each text is written by one run only, so two that find the same dead lock never both succeed it.
 *
 * proper-lockfile knows the dead by the age of a file that a living process keeps touching: the run after a killed one would
 * wait ten seconds, and one that was suspended for longer (a laptop asleep) would lose its lock while it writes.
 */

/** Longer than `svc dev` takes for a save, or for Prisma's client of most projects. */
const lockWaitMs = 20_000

const pollMs = 100

/** Most runs are done by then, and a line about them would be noise. */
const quietMs = 1_000

/** The runs of this process. A lock that names the process and none of them is left from one that had its number. */
const running = new Set<string>()

/**
 * Runs `work` while no other svc writes this project. One that does, `svc dev` after a save say, is waited for; the lock of
 * a process that is gone is taken over.
 */
export async function alone<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  const run = randomUUID()
  running.add(run)
  try {
    const chain = await patient(target, () => take(target, run))
    try {
      clearStaged(target)
      return await work()
    } finally {
      release(target, chain)
    }
  } finally {
    running.delete(run)
  }
}

/** Waits while another process writes the project: what it holds now is neither the old nor the new one. */
export async function untilFree(target: Target): Promise<void> {
  await patient(target, () => {
    const last = chainOf(target).at(-1)
    if (last !== undefined && isHeld(last.text)) throw new Busy(last.text)
  })
}

/** Tries again while another has the project, and refuses when that takes too long. */
async function patient<Result>(
  { waitMs = lockWaitMs }: Target,
  attempt: () => Result,
): Promise<Result> {
  const start = performance.now()
  let isTold = false
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      const waited = performance.now() - start
      if (!(error instanceof Busy) || waited >= waitMs) throw error
      if (!isTold && waited >= quietMs) {
        isTold = true
        tellOfWait(`Waiting for another svc, which is writing this project${error.who}.`)
      }
    }
    await setTimeout(pollMs)
  }
}

interface LockFile {
  readonly path: string
  readonly text: string
}

/** `dev` of `svc dev`: for whoever has to wait for it. */
const [, , command = ''] = process.argv

function take(target: Target, run: string): readonly LockFile[] {
  const text = JSON.stringify({ pid: process.pid, host: hostname(), command, run })
  const staged = at(target, `${svcPaths.run}.${run}`)
  const link = symlinkOnTheWay(target, svcPaths.folder)
  if (link !== null) throw new Refusal(link)
  try {
    target.files.makeFolder(at(target, svcPaths.folder))
    const chain = chainOf(target)
    const last = chain.at(-1)
    if (last !== undefined && isHeld(last.text)) throw new Busy(last.text)
    target.files.write(staged, text)
    const path = last === undefined ? svcPaths.run : successor(last.text)
    if (!placed(target, staged, path)) throw new Busy(null)
    const whole = [...chain, { path, text }]
    if (!isStill(target, whole)) {
      target.files.remove(at(target, path))
      throw new Busy(null)
    }
    return whole
  } catch (error) {
    discard(target, staged)
    throw explained(error)
  }
}

/** False: another has the name, or took what was staged for what a killed process left. */
function placed(target: Target, staged: string, path: string): boolean {
  try {
    return target.files.place(staged, at(target, path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

/** From the first lock to the one that holds the project, or held it last. */
function chainOf(target: Target): readonly LockFile[] {
  const chain: LockFile[] = []
  let path: string = svcPaths.run
  for (;;) {
    const text = target.files.read(at(target, path))
    if (text === null) return chain
    chain.push({ path, text })
    path = successor(text)
  }
}

const successor = (text: string) =>
  `${svcPaths.run}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`

/** The chain was let go while it was being joined when its first lock is gone, or another's. */
function isStill(target: Target, [first]: readonly LockFile[]): boolean {
  return first !== undefined && target.files.read(at(target, first.path)) === first.text
}

/** The first one first: from then on no process can join. One that is another's, of somebody who deleted ours, stays. */
function release(target: Target, chain: readonly LockFile[]): void {
  try {
    if (isStill(target, chain)) for (const { path } of chain) target.files.remove(at(target, path))
    target.files.removeFolder(at(target, svcPaths.folder))
  } catch {
    // The work is done, and the next run takes the lock of a process that is gone.
  }
}

const staging = new RegExp(`^${posix.basename(svcPaths.run)}\\.${uuidPattern('[0-9a-f]').slice(1)}`)

/** Removes the files of processes that were killed before their lock had its name. */
function clearStaged(target: Target): void {
  try {
    for (const name of target.files.list(at(target, svcPaths.folder)).keys()) {
      const path = at(target, `${svcPaths.folder}/${name}`)
      const text = staging.test(name) ? target.files.read(path) : null
      if (text !== null && !isHeld(text)) target.files.remove(path)
    }
  } catch {
    // They do no harm.
  }
}

function discard(target: Target, path: string): void {
  try {
    target.files.remove(path)
  } catch {
    // The first failure is the one to report.
  }
}

/**
 * By a process that lives, or that runs elsewhere and cannot be asked. A text that says of none was cut off when the
 * machine stopped: a lock has its name only once it is written whole.
 */
function isHeld(text: string): boolean {
  const held = parse(text)
  if (held === null) return false
  if (held.host !== hostname()) return true
  return held.pid === process.pid ? running.has(held.run) : isAlive(held.pid)
}

interface Held {
  readonly pid: number
  readonly host: string
  readonly command: string
  readonly run: string
}

function parse(text: string): Held | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    if (!('pid' in value) || !('host' in value) || typeof value.pid !== 'number') return null
    const run = 'run' in value ? String(value.run) : ''
    const command = 'command' in value ? String(value.command) : ''
    return { pid: value.pid, host: String(value.host), command, run }
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/** Another has the project. `text` is its lock; null: it had none yet, or let it go just then. */
class Busy extends Refusal {
  /** Behind the words of who waits; empty: nobody knows. */
  readonly who: string

  constructor(text: string | null) {
    const held = text === null ? null : parse(text)
    super(busy(held))
    this.who = held === null ? '' : `: ${nameOf(held)}`
  }
}

function nameOf({ pid, host, command }: Held): string {
  const process = `process ${pid}${command === '' ? '' : ` (svc ${command})`}`
  return host === hostname() ? process : `${process} on '${host}'`
}

/** Nobody deletes the lock of a process that lives: the two would write over each other. */
function busy(held: Held | null): string {
  if (held === null) return 'Another svc is writing this project. Run this again when it is done.'
  const waited = `Another svc, ${nameOf(held)}, is writing this project, and was waited for.`
  if (held.host === hostname()) {
    return (
      `${waited} Run this again when it is done, or end it: ` +
      `svc then takes over its lock. Only if process ${held.pid} is not svc, delete '${svcPaths.run}'.`
    )
  }
  return `${waited} Run this again when it is done. If there is no such process, delete '${svcPaths.run}'.`
}
