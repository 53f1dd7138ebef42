import { hostname } from 'node:os'
import { Refusal, explained, systemCode } from './refusal.js'
import { leavesTree } from './snapshot.js'
import { at, own, type Target } from './target.js'

/** Runs `work` while no other svc writes this project. The lock of a process that is gone is taken over. */
export async function alone<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  const path = at(target, own.run)
  const mine = JSON.stringify({ pid: process.pid, host: hostname() })
  const obstacle = linkOut(target)
  if (obstacle !== null) throw new Refusal(obstacle)
  try {
    target.files.makeFolder(at(target, own.folder))
    if (!take(target, path, mine)) takeOver(target, path, mine)
  } catch (error) {
    throw explained(error)
  }
  try {
    return await work()
  } finally {
    release(target, path, mine)
    target.files.removeFolder(at(target, own.folder))
  }
}

const linkOut = (target: Target) =>
  target.files.kind(at(target, own.folder)) === 'link' ? leavesTree(target, own.folder) : null

/** What to say when another svc is writing this project right now; null: none is. */
export function busyWith(target: Target): string | null {
  const pid = holder(target.files.read(at(target, own.run)) ?? '')
  return pid === null || pid === process.pid ? null : busy(pid)
}

/** Nobody sees a lock half written: it is complete before it gets its name. */
function take(target: Target, path: string, mine: string): boolean {
  const prepared = `${path}.${process.pid}`
  target.files.write(prepared, mine)
  try {
    target.files.link(prepared, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    return withoutLinks(target, path, mine)
  } finally {
    target.files.remove(prepared)
  }
}

/** Some disks know no second names. */
function withoutLinks(target: Target, path: string, mine: string): boolean {
  try {
    target.files.create(path, mine)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Of those that find the same dead lock, one at a time may look at it again and take it away. */
function takeOver(target: Target, path: string, mine: string): void {
  const turn = `${path}.turn`
  if (!take(target, turn, mine)) {
    const other = holder(target.files.read(turn) ?? '')
    if (other === null) target.files.remove(turn)
    throw new Refusal(busy(other))
  }
  try {
    const found = target.files.read(path)
    const pid = found === null ? null : holder(found)
    if (pid !== null) throw new Refusal(busy(pid))
    target.files.remove(path)
    if (!take(target, path, mine)) throw new Refusal(busy(null))
  } finally {
    target.files.remove(turn)
  }
}

/** The run is over, whatever becomes of its lock: that of a process that is gone is taken over. */
function release(target: Target, path: string, mine: string): void {
  try {
    if (target.files.read(path) === mine) target.files.remove(path)
  } catch {
    // A disk that became read-only, say.
  }
}

/** The process that holds the lock and lives, or cannot be asked because it runs elsewhere. */
function holder(text: string): number | null {
  const held = parse(text)
  if (held === null) return null
  return held.host !== hostname() || isAlive(held.pid) ? held.pid : null
}

function parse(text: string): { pid: number; host: string } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    if (!('pid' in value) || !('host' in value) || typeof value.pid !== 'number') return null
    return { pid: value.pid, host: String(value.host) }
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

const busy = (pid: number | null) =>
  `Another svc${pid === null ? '' : ` (process ${pid})`} is writing this project. ` +
  `Wait for it; if there is none, delete '${own.run}'.`
