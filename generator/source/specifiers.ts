import { posix } from 'node:path'

/** Folders with an entry in the `imports` of the emitted package.json: `#app/env.js` is `app/env.ts`, wherever it is imported. */
const mapped = /^(?:app|config|runtime)\//

/** The file of the project that an import in `from` speaks of; null: of a package. */
export function importedFile(from: string, specifier: string): string | null {
  const isMapped = specifier.startsWith('#') && mapped.test(specifier.slice(1))
  if (!isMapped && !specifier.startsWith('.')) return null
  const path = isMapped ? specifier.slice(1) : posix.join(posix.dirname(from), specifier)
  return path.replace(/\.js$/, '.ts')
}

/**
 * Returns the specifier of another emitted file: `./env.js` in the same folder and below, else
 * `#app/env.js` where there is such an entry.
 */
export function specifierOf(path: string, from: string): string {
  const file = path.replace(/\.ts$/, '.js')
  const relative = posix.relative(posix.dirname(from), file)
  if (!relative.startsWith('..')) return `./${relative}`
  const isWithinRuntime = from.startsWith('runtime/') && file.startsWith('runtime/')
  return mapped.test(file) && !isWithinRuntime ? `#${file}` : relative
}

const specifier = /\b(?:from|import)\s*\(?\s*(['"])((?:\.{1,2}\/|#)[^'"\n]+)\1/g

/**
 * Lists the project's own imports in a text: static, type or dynamic. It is cheap, and also finds
 * imports in comments.
 */
export function specifiersIn(text: string): readonly string[] {
  return [...text.matchAll(specifier)].map(([, , found = '']) => found)
}
