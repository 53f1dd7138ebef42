import { posix } from 'node:path'
import type { OwnImports } from '../../plan/render/runtime-files.js'
import { specifiersIn } from '../../source/specifiers.js'
import type { Base, Code } from '../base/snapshot.js'
import { at, type Target } from '../target.js'

const skipped =
  /(?:^|\/)(?:node_modules|dist|coverage|storage|\.[^/]*)$|^(?:manifest|prisma\/client)$/

export function readCode(target: Target): Code {
  const texts = new Map<string, string>()
  const folders = ['.']
  for (const folder of folders) {
    const entries = target.files.list(at(target, folder))
    // A folder with a package.json is another package.
    if (folder !== '.' && entries.has('package.json')) continue
    for (const [name, kind] of entries) {
      const path = posix.join(folder, name)
      if (kind === 'folder' && !skipped.test(path)) folders.push(path)
      const text = kind === 'file' && isCode(path) ? readable(target, path) : null
      if (text !== null) texts.set(path, text)
    }
  }
  return texts
}

const isCode = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

/** A file that may not be read, or is not text, imports nothing. */
function readable(target: Target, path: string): string | null {
  try {
    return target.files.read(at(target, path))
  } catch {
    return null
  }
}

/** Reads the project's imports in code that is not as svc wrote it. */
export function ownImports(code: Code, base: Base): readonly OwnImports[] {
  return [...code].flatMap(([path, text]) => {
    const written = base.get(path)
    if (text === written) return []
    const all = specifiersIn(text)
    const known = new Set(specifiersIn(written ?? ''))
    const added = all.filter((specifier) => !known.has(specifier))
    return all.length === 0 ? [] : [{ path, all, added }]
  })
}
