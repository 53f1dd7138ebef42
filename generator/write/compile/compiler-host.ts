import { dirname, posix } from 'node:path'
import { ts } from '../../source/ts-morph.js'
import { libraryFolder } from './library-folder.js'

/**
 * The disk as a compiler sees it, with other texts in some places; null: no such file. Files with the same text are parsed
 * once for all hosts that share a cache.
 */
export function hostOf(
  root: string,
  options: ts.CompilerOptions,
  texts: ReadonlyMap<string, string | null>,
  cache: Map<string, ts.SourceFile>,
): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const library = libraryFolder(root)
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
    getDefaultLibLocation: () => library,
    getDefaultLibFileName: (asked) => posix.join(library, ts.getDefaultLibFileName(asked)),
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
