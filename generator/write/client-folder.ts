import { posix } from 'node:path'
import { clientHead, type ClientFile } from '../plan/client/files.js'
import { sameText } from '../plan/merge.js'
import { Refusal } from '../plan/refusal.js'
import type { PlanFile } from '../plan/status.js'
import { at, type Target } from './target.js'

/** A client as svc writes it today, and the texts in its folder. */
export interface PlannedClient {
  readonly files: readonly ClientFile[]
  readonly disk: ReadonlyMap<string, string>
}

/** Folders of a client, relative to it. */
const folders = ['.', 'rules', 'rules/input', 'rules/model']

/** The modules in the folder of a client, whoever wrote them. */
export function readClientFolder(target: Target, path: string): ReadonlyMap<string, string> {
  const texts = folders.flatMap((folder) => {
    const inside = posix.join(path, folder)
    if (target.files.kind(at(target, inside)) !== 'folder') return []
    return [...target.files.list(at(target, inside))].flatMap(([name, kind]) => {
      const file = posix.join(inside, name)
      const text = isModule(name, kind) ? target.files.read(at(target, file)) : null
      return text === null ? [] : [[file, text] as const]
    })
  })
  return new Map(texts)
}

const isModule = (name: string, kind: string) => kind === 'file' && name.endsWith('.ts')

/**
 * What becomes of each file of a client: svc's are overwritten, or removed when their repository is gone. They are no texts to
 * merge, so they have no base. Refuses to write where a file stands that is not svc's.
 */
export function planClient({ files, disk }: PlannedClient): readonly PlanFile[] {
  const foreign = files.filter(({ path }) => {
    const text = disk.get(path)
    return text !== undefined && !isOurs(text)
  })
  if (foreign.length > 0) throw new Refusal(refusal(foreign.map(({ path }) => path)))
  const paths = new Set(files.map(({ path }) => path))
  const gone = [...disk].filter(([path, text]) => !paths.has(path) && isOurs(text))
  return [
    ...files.map(({ path, content }) => planned(path, disk.get(path) ?? null, content)),
    ...gone.map(([path, text]) => planned(path, text, null)),
  ]
}

const isOurs = (text: string) => text.replace(/^\uFEFF/, '').startsWith(clientHead)

function planned(path: string, before: string | null, rendered: string | null): PlanFile {
  const empty = { baseBefore: null, base: null, aside: null, note: null } as const
  const file = { path, owner: 'svc', before, rendered, ...empty } as const
  if (rendered === null) return { ...file, status: 'remove', content: null }
  if (before === null) return { ...file, status: 'create', content: rendered }
  // Git may have given it the line endings of another system.
  if (sameText(before, rendered)) return { ...file, status: 'same', content: before }
  return { ...file, status: 'update', content: rendered }
}

const refusal = (paths: readonly string[]) =>
  `The client would replace files that svc did not write:\n${paths
    .map((path) => `  ${path}`)
    .join('\n')}\nNothing was written. Move them away, or give the client a folder of its own.`
