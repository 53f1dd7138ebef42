import { hostname } from 'node:os'
import { Refusal, explained, systemCode } from './refusal.js'
import { at, own, type Target } from './target.js'

/** Runs `work` while no other svc writes this project. The lock of a process that is gone is taken over. */
export async function alone<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  const path = at(target, own.run)
  const mine = JSON.stringify({ pid: process.pid, host: hostname() })
  try {
    target.files.makeFolder(at(target, own.folder))
    if (!take(target, path, mine)) takeOver(target, path, mine)
  } catch (error) {
    throw explained(error)
  }
  try {
    return await work()
  } finally {
    target.files.remove(path)
    target.files.removeFolder(at(target, own.folder))
  }
}

function take(target: Target, path: string, mine: string): boolean {
  try {
    target.files.create(path, mine)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function takeOver(target: Target, path: string, mine: string): void {
  const found = target.files.read(path)
  const pid = found === null ? null : holder(found)
  if (pid !== null) throw new Refusal(busy(pid))
  // Moved away first: of two that find the same dead lock, one gets to move it.
  const away = `${path}.${process.pid}`
  moveAway(target, path, away)
  const moved = target.files.read(away)
  target.files.remove(away)
  if ((moved !== null && moved !== found) || !take(target, path, mine))
    throw new Refusal(busy(null))
}

function moveAway(target: Target, path: string, away: string): void {
  try {
    target.files.rename(path, away)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
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
