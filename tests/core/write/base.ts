import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveOf, readArchive } from '../../../generator/write/base/base-archive.js'
import { fill, type Texts } from './folder.js'

const name = '.svc/base.txt'

/** Returns the texts that svc wrote last in a project, by path. */
export function baseOf(root: string): Texts {
  const path = join(root, name)
  const { sections } = readArchive(existsSync(path) ? readFileSync(path, 'utf8') : '', name)
  return Object.fromEntries([...sections].map(([file, { text }]) => [file, text]))
}

/** As if svc had written these last. */
export function fillBase(root: string, texts: Texts): void {
  const all = new Map(Object.entries({ ...baseOf(root), ...texts }))
  fill(root, { [name]: archiveOf(all, new Map()) })
}
