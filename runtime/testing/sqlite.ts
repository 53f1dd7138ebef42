import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder in memory, which Linux has. */
const memory = '/dev/shm'

/** Bytes that have to be free there: a container may have few. */
const enough = 1024 ** 3

/** A database for one file of tests, in a temporary folder. */
export function makeDatabase(project: string): {
  readonly url: string
  readonly remove: () => void
} {
  const place = hasMemory() ? memory : tmpdir()
  removeLeft(place, project)
  const folder = mkdtempSync(join(place, `${project}-${process.pid}-`))
  return {
    url: `file:${join(folder, 'test.sqlite')}`,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Removes the files of killed runs: they would take memory until the machine is started again. */
function removeLeft(place: string, project: string): void {
  for (const name of readdirSync(place)) {
    const pid =
      name.startsWith(`${project}-`) && /^(\d+)-\w{6}$/.exec(name.slice(project.length + 1))
    if (!pid || isRunning(Number(pid[1]))) continue
    rmSync(join(place, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is no reason to remove what it has.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** On a disk each write waits for it, which was most of the time of the tests; and nobody needs theirs after a power cut. */
function hasMemory(): boolean {
  // Somebody who names a folder means it.
  if (process.env['TMPDIR'] !== undefined) return false
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enough
  } catch {
    return false
  }
}
