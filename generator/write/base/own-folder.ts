import { posix } from 'node:path'
import { Refusal } from '../../blueprint/refusal.js'
import type { PlanFile } from '../../plan/status.js'
import { sameText } from '../../source/merge.js'
import { at, type Target } from '../target.js'

/** A folder of modules that svc writes whole each time; it may lie beside the project, and others may have files there. */
export interface OwnFolder {
  /** The folder's name in messages: `client`. */
  readonly what: string
  /** Relative to the project. */
  readonly path: string
  /** The folders inside that it writes to, relative to it. */
  readonly inside: readonly string[]
  /** The beginning of each file's first line; a file with another one is not svc's. */
  readonly head: string
}

export interface FolderFile {
  /** Relative to the project: `../web/src/api/posts.ts`. */
  readonly path: string
  readonly content: string
}

/** Such a folder as svc writes it today, and the texts in it. */
export interface PlannedFolder extends OwnFolder {
  readonly files: readonly FolderFile[]
  readonly disk: ReadonlyMap<string, string>
}

/** The modules in it, whoever wrote them. */
export function readOwnFolder(
  target: Target,
  { path, inside }: OwnFolder,
): ReadonlyMap<string, string> {
  const texts = inside.flatMap((each) => {
    const folder = posix.join(path, each)
    if (target.files.kind(at(target, folder)) !== 'folder') return []
    return [...target.files.list(at(target, folder))].flatMap(([name, kind]) => {
      const file = posix.join(folder, name)
      const text = isModule(name, kind) ? target.files.read(at(target, file)) : null
      return text === null ? [] : [[file, text] as const]
    })
  })
  return new Map(texts)
}

const isModule = (name: string, kind: string) => kind === 'file' && name.endsWith('.ts')

/**
 * What becomes of each file: svc's are overwritten, or removed when nothing asks for them any more. They are no texts to merge,
 * so they have no base. Refuses to write where a file stands that is not svc's.
 */
export function planOwnFolder({ files, disk, head, what }: PlannedFolder): readonly PlanFile[] {
  const isOurs = (text: string) => text.replace(/^\uFEFF/, '').startsWith(head)
  const foreign = files.filter(({ path }) => {
    const text = disk.get(path)
    return text !== undefined && !isOurs(text)
  })
  if (foreign.length > 0) throw new Refusal(refusal(what, foreign))
  const paths = new Set(files.map(({ path }) => path))
  const gone = [...disk].filter(([path, text]) => !paths.has(path) && isOurs(text))
  return [
    ...files.map(({ path, content }) => planned(path, disk.get(path) ?? null, content)),
    ...gone.map(([path, text]) => planned(path, text, null)),
  ]
}

function planned(path: string, before: string | null, rendered: string | null): PlanFile {
  const empty = { baseBefore: null, base: null, aside: null, note: null } as const
  const file = { path, owner: 'svc', before, rendered, ...empty } as const
  if (rendered === null) return { ...file, status: 'remove', content: null }
  if (before === null) return { ...file, status: 'create', content: rendered }
  // Git may have given it the line endings of another system.
  if (sameText(before, rendered)) return { ...file, status: 'same', content: before }
  return { ...file, status: 'update', content: rendered }
}

const refusal = (what: string, foreign: readonly FolderFile[]) =>
  `The ${what} would replace files that svc did not write:\n${foreign
    .map(({ path }) => `  ${path}`)
    .join('\n')}\nNothing was written. Move them away, or give the ${what} a folder of its own.`
