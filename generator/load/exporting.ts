import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const FOLDER = 'manifest'

/** The file of the manifest's folder that exports a name, read or not; undefined: none does. */
export function exporting(root: string, name: string): string | undefined {
  if (!/^\w+$/.test(name)) return undefined
  const declared = new RegExp(`^export\\s+(?:const|let|var)\\s+${name}\\b`, 'm')
  const listed = new RegExp(`^export\\s*\\{[^}]*\\b${name}\\s*[,}]`, 'm')
  return manifestFiles(root).find((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return declared.test(text) || listed.test(text)
  })
}

/** Files that a manifest may consist of, from the project's folder on. */
export function manifestFiles(root: string): readonly string[] {
  try {
    const entries = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
    return entries
      .map((path) => posix.join(FOLDER, path.replaceAll('\\', '/')))
      .filter((path) => /(?<!\.d)\.[jt]s$/.test(path))
      .toSorted()
  } catch {
    return []
  }
}

/** Returns the specifier of one manifest file in another: `./posts.js`. */
export function specifierOf(file: string, from: string): string {
  const path = posix.relative(posix.dirname(from), file).replace(/\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}
