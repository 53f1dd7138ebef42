import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
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
  const folder = mkdtempSync(join(hasMemory() ? memory : tmpdir(), `${project}-`))
  return {
    url: `file:${join(folder, 'test.sqlite')}`,
    remove: () => rmSync(folder, { recursive: true }),
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
