import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../../setup-error.js'

/**
 * Text of the schema file. `path` is relative to the project, which is the nearest folder above the
 * caller (compiled or not) that has it.
 */
export function readSchemaFile(caller: string, path: string): string {
  for (let folder = dirname(fileURLToPath(caller)); ; folder = dirname(folder)) {
    const file = join(folder, path)
    if (existsSync(file)) return readFileSync(file, 'utf8')
    if (folder === dirname(folder)) throw new SetupError(`${path} is missing: svc graphql:generate`)
  }
}
