import { dirname } from 'node:path'
import type { CompilerHost, CompilerOptions, SourceFile } from 'typescript'

/** The compiler as a value; which one is for the project to say. */
export type TypeScript = typeof import('typescript')

/**
 * The disk as a compiler sees it, with other texts in some places; null: no such file. Files with the same text are parsed
 * once for all hosts that share a cache.
 */
export function hostOf(
  ts: TypeScript,
  root: string,
  options: CompilerOptions,
  texts: ReadonlyMap<string, string | null>,
  cache: Map<string, SourceFile>,
): CompilerHost {
  const host = ts.createCompilerHost(options)
  const other = new Map([...texts].map(([path, text]) => [`${root}/${path}`, text]))
  const folders = new Set(
    [...other].flatMap(([path, text]) => (text === null ? [] : foldersOf(path, root))),
  )
  const readFile = (name: string) => {
    const text = other.get(name)
    return text === undefined ? ts.sys.readFile(name) : (text ?? undefined)
  }
  return {
    ...host,
    readFile,
    fileExists: (name) => {
      const text = other.get(name)
      return text === undefined ? ts.sys.fileExists(name) : text !== null
    },
    directoryExists: (name) => folders.has(name) || ts.sys.directoryExists(name),
    getSourceFile: (name, how) => {
      const key = other.has(name) ? `${name} before` : name
      const known = cache.get(key)
      if (known !== undefined) return known
      const text = readFile(name)
      if (text === undefined) return undefined
      const file = ts.createSourceFile(name, text, how)
      cache.set(key, file)
      return file
    },
  }
}

function foldersOf(path: string, root: string): readonly string[] {
  const folder = dirname(path)
  return folder.length <= root.length ? [] : [folder, ...foldersOf(folder, root)]
}
