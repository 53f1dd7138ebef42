import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A database for one file of tests, in a temporary folder. */
export function makeDatabase(project: string): {
  readonly url: string
  readonly remove: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), `${project}-`))
  return {
    url: `file:${join(folder, 'test.sqlite')}`,
    remove: () => rmSync(folder, { recursive: true }),
  }
}
