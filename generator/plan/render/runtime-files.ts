import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { packageFile, packageFolder } from '../../source/package-files.js'
import { importedFile, specifiersIn } from '../../source/specifiers.js'
import type { Rendered } from '../status.js'
import { runtimeText } from './runtime-archive.js'

/** Imports of the project in a file that is not as svc wrote it. */
export interface OwnImports {
  readonly path: string
  /** All of it, and what svc had not written there. */
  readonly all: readonly string[]
  readonly added: readonly string[]
}

interface RuntimeFile {
  readonly text: string
  /** Files of the runtime that it imports, and those of the page beside it. */
  readonly imports: readonly string[]
}

const folder = packageFolder('.')
const known = new Map<string, RuntimeFile | null>()

/** A file of `runtime/`; null: there is none of that name. */
function runtimeFile(path: string): RuntimeFile | null {
  const found = known.get(path)
  if (found !== undefined) return found
  const isThere = path.startsWith('runtime/') && existsSync(`${folder}${path}`)
  const text = isThere ? packageFile(path) : null
  const imports = path.endsWith('.ts') ? filesIn(path, specifiersIn(text ?? '')) : []
  const file = text === null ? null : { text, imports: [...imports, ...pageBeside(path)] }
  known.set(path, file)
  return file
}

/** A feature's folder `page` holds what it serves to browsers, which nothing imports. */
function pageBeside(path: string): readonly string[] {
  const page = `${posix.dirname(path)}/page`
  const isFeature = path.startsWith('runtime/features/') && path.endsWith('.ts')
  if (!isFeature || !existsSync(`${folder}${page}`)) return []
  return readdirSync(`${folder}${page}`).map((name) => `${page}/${name}`)
}

const filesIn = (path: string, specifiers: readonly string[]) =>
  specifiers.flatMap((specifier) => {
    const file = importedFile(path, specifier)
    return file === null ? [] : [file]
  })

/**
 * The shared part, copied as it stands: what the emitted files import, and what that imports. What the developer's own
 * files import stays as well, so that no run removes it.
 */
export function runtimeFiles(
  emitted: readonly Rendered[],
  own: readonly OwnImports[] = [],
  ejected: ReadonlySet<string> = new Set(),
): readonly (Rendered & { readonly source: string })[] {
  const svcs = new Set(emitted.flatMap(({ path, owner }) => (owner === 'you' ? [] : [path])))
  const reached = new Set<string>()
  const follow = (paths: readonly string[]): void => {
    for (const path of paths) {
      const file = reached.has(path) ? null : runtimeFile(path)
      if (file === null) continue
      reached.add(path)
      follow(file.imports)
    }
  }
  for (const file of importedBy(emitted)) follow([file])
  // Edited files of the runtime last: what is reached is svc's, and what is not is the developer's alone.
  for (const { path, all, added } of own.toSorted(runtimeLast)) {
    const isSvcs = (svcs.has(path) || reached.has(path)) && !ejected.has(path)
    follow(filesIn(path, isSvcs ? added : all))
  }
  const files = [...reached].map((path) => ({
    path,
    text: runtimeText(path, runtimeFile(path)?.text ?? ''),
  }))
  return [...files, { path: 'runtime/README.md', text: mapOf(reached) }]
    .map(({ path, text }) => ({ path, content: text, owner: 'svc', source: 'runtime/' }) as const)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Thousands of repositories import the same files. */
function importedBy(emitted: readonly Rendered[]): ReadonlySet<string> {
  const imported = new Set<string>()
  const seen = new Set<string>()
  for (const { path, content } of emitted) {
    const from = posix.dirname(path)
    for (const specifier of specifiersIn(content)) {
      const key = specifier.startsWith('#') ? specifier : `${from} ${specifier}`
      if (seen.has(key)) continue
      seen.add(key)
      for (const file of filesIn(path, [specifier])) imported.add(file)
    }
  }
  return imported
}

/** runtime/README.md without lines about folders and features that the project does not have. */
function mapOf(paths: ReadonlySet<string>): string {
  const folders = new Set([...paths].map((path) => posix.dirname(path)))
  const isHere = (line: string) => {
    const [, folder] = /^\| `(.+)\/` \|/.exec(line) ?? []
    const files = line.match(/\bfeatures\/[\w/-]+\.ts/g) ?? []
    const hasFiles = files.every((file) => paths.has(`runtime/${file}`))
    return hasFiles && (folder === undefined || folders.has(`runtime/${folder}`))
  }
  const lines = packageFile('runtime/README.md').split('\n').filter(isHere)
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

const isRuntime = ({ path }: OwnImports) => Number(path.startsWith('runtime/'))
const runtimeLast = (one: OwnImports, other: OwnImports) => isRuntime(one) - isRuntime(other)
