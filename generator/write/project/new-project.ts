import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Refusal } from '../../blueprint/refusal.js'
import type { Example, Texts } from '../../plan/render/starter.js'
import { packageFile, packageFolder } from '../../source/package-files.js'
import { apply } from '../run/apply.js'
import { alone } from '../run/run-lock.js'
import { svcPaths, type Target } from '../target.js'

const harmless = new Set(['.git', '.DS_Store', svcPaths.folder])

/** Makes the folder and writes the first files. Refuses a folder that holds something. */
export async function createProject(target: Target, texts: Texts): Promise<void> {
  const { root, files } = target
  const kind = files.kind(root)
  if (kind !== null && kind !== 'folder') throw new Refusal(`'${root}' is not a folder.`)
  const held = [...files.list(root).keys()].filter((name) => !harmless.has(name))
  if (held.length > 0) {
    throw new Refusal(
      `'${root}' is not empty (${held.slice(0, 3).join(', ')}): choose a new folder.`,
    )
  }
  files.makeFolder(root)
  const changes = [...texts].map(([path, after]) => ({ path, before: null, after }))
  await alone(target, async () => apply(target, changes))
}

/** The developer's files of an example; the rest is generated. */
export function exampleTexts(name: Example): Texts {
  const folder = packageFolder(`fixtures/${name}`)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('expected/'))
  return new Map(paths.toSorted().map((path) => [path, packageFile(`fixtures/${name}/${path}`)]))
}
