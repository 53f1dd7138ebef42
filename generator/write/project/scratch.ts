import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { manifestPaths } from '../../load/manifest-entries.js'
import type { Target } from '../target.js'

/** Parts of a project that reading a manifest needs. */
const read = [...manifestPaths, 'config']

/**
 * Runs `work` in a copy of the manifest and config in which some texts are others: what a project
 * would be, before anything of it is written.
 */
export async function inScratch<Result>(
  { root }: Target,
  texts: ReadonlyMap<string, string>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scratch-'))
  try {
    for (const path of read.filter((each) => existsSync(join(root, each)))) {
      cpSync(join(root, path), join(folder, path), { recursive: true })
    }
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
