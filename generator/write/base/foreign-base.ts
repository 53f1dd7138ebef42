import { Refusal } from '../../blueprint/refusal.js'
import { svcPaths } from '../target.js'
import type { ProjectSnapshot } from './snapshot.js'

const repository = /^app\/Repositories\/.*\.ts$/

/**
 * Refuses a base that was copied from another project: it bears another name, speaks of repositories that are not here,
 * and not of those that are. Merging with it would take every line for an edit.
 */
export function refuseForeignBase({ disk, base }: ProjectSnapshot): void {
  const [here, there] = [nameIn(disk), nameIn(base)]
  if (here === null || there === null || here === there) return
  const only = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one.keys()].filter((path) => repository.test(path) && !other.has(path))
  if (only(base, disk).length === 0 || only(disk, base).length === 0) return
  throw new Refusal(
    `'${svcPaths.base}' is of another project ('${there}', and this is '${here}'). ` +
      "Restore this project's own from version control, or delete it: " +
      'svc then cannot tell your edits from its own text, and asks about each file that differs.',
  )
}

function nameIn(texts: ReadonlyMap<string, string>): string | null {
  return /^\s*"name":\s*"([^"]+)"/m.exec(texts.get('package.json') ?? '')?.[1] ?? null
}
