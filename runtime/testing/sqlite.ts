import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder in memory, which Linux has. */
const memory = '/dev/shm'

/** Bytes that have to be free there: a container may have few. */
const enough = 1024 ** 3

/** In milliseconds. */
const hour = 3_600_000

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
    const folder = join(place, name)
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A container that shares this memory counts its processes for itself, so a process that is not
 * running here may still test there: then it writes. Folders of other users are theirs to remove.
 */
function isAbandoned(folder: string): boolean {
  try {
    const { uid } = statSync(folder)
    if (uid !== (process.getuid?.() ?? uid)) return false
    const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    return Math.max(...paths.map((path) => statSync(path).mtimeMs)) < Date.now() - hour
  } catch {
    // Another run has just removed it.
    return false
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
