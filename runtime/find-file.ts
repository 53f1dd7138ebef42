import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from './setup-error.js'

/**
 * Where a file or folder of the project is: in the nearest folder above the caller (compiled or
 * not) that has it. `command` makes it.
 */
export function findFile(caller: string, path: string, command = 'svc generate'): string {
  for (let folder = dirname(fileURLToPath(caller)); ; folder = dirname(folder)) {
    const file = join(folder, path)
    if (existsSync(file)) return file
    if (folder === dirname(folder)) throw new SetupError(`${path} is missing: ${command}`)
  }
}
