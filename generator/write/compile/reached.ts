import type { Plan } from '../../plan/status.js'
import { importedFile, specifiersIn } from '../../source/specifiers.js'
import { at, type Target } from '../target.js'

/**
 * Whether a file is one of these, or imports one, however far away: otherwise they cannot have broken it. Of Prisma's client,
 * and of what is not found, nothing is known, so it counts.
 */
export function reaching(
  target: Target,
  plan: Plan,
  changed: ReadonlySet<string>,
): (path: string) => boolean {
  const planned = new Map(plan.files.map(({ path, content }) => [path, content]))
  const imports = new Map<string, readonly string[]>()
  const textOf = (path: string) => planned.get(path) ?? target.files.read(at(target, path))
  const importsOf = (path: string) => {
    const known = imports.get(path)
    if (known !== undefined) return known
    const found = specifiersIn(textOf(path) ?? '').flatMap((each) => importedFile(path, each) ?? [])
    imports.set(path, found)
    return found
  }
  const isHit = (path: string) =>
    changed.has(path) || path.startsWith('prisma/client/') || textOf(path) === null
  return (path) => {
    const seen = new Set([path])
    for (const each of seen) {
      if (isHit(each)) return true
      for (const next of importsOf(each)) seen.add(next)
    }
    return false
  }
}

/** The files that import one of these themselves. */
export function importersOf(
  texts: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): readonly string[] {
  if (files.size === 0) return []
  const isHit = (path: string, specifier: string) => {
    const file = importedFile(path, specifier)
    return file !== null && file !== undefined && files.has(file)
  }
  return [...texts].flatMap(([path, text]) =>
    specifiersIn(text).some((specifier) => isHit(path, specifier)) ? [path] : [],
  )
}
