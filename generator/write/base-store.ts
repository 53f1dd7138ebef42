import { posix } from 'node:path'
import { splitSides } from '../plan/branches.js'
import { markers } from '../plan/merge.js'
import {
  hashOfText,
  runtimeArchive,
  unpackRuntime,
  type RuntimeTexts,
} from '../plan/runtime-archive.js'
import type { Change } from './change.js'
import type { Base, Code } from './snapshot.js'
import { at, svcPaths, type Target } from './target.js'

/*
 *  .svc/base/<path>               the text that svc wrote there last; of a file of the runtime only where the archive has another
 *  .svc/base/runtime-files.txt    the other files of the runtime, each with a hash of the text that svc wrote last
 *  .svc/base/runtime-<hash>.…     every file of the runtime of one svc, packed: that text for those that somebody edited
 */

const list = 'runtime-files.txt'
const archived = /^runtime-[0-9a-f]+\.br\.txt$/

/** `.svc/base`: by path, the text of each file as svc wrote it last. `code`: what was read of the project already. */
export function readBase(target: Target, code: Code = new Map()): Base {
  const texts = new Map<string, string>()
  const folders = ['']
  for (const folder of folders) {
    for (const [name, kind] of target.files.list(at(target, posix.join(svcPaths.base, folder)))) {
      const path = posix.join(folder, name)
      if (kind === 'folder') folders.push(path)
      if (kind === 'file') texts.set(path, read(target, path) ?? '')
    }
  }
  return unpacked(target, texts, code)
}

const read = (target: Target, path: string) =>
  target.files.read(at(target, posix.join(svcPaths.base, path)))

function unpacked(target: Target, texts: Map<string, string>, code: Code): Base {
  const names = [...texts.keys()].filter((path) => archived.test(path)).toSorted()
  const contents = names.map((name) => ({ name, content: texts.get(name) ?? '' }))
  let archives: readonly RuntimeTexts[] | undefined
  const listed = texts.get(list) ?? ''
  for (const name of [...names, list]) texts.delete(name)
  const { left, right } = splitSides(listed) ?? { left: listed, right: listed }
  const [ours, theirs] = [readList(left), readList(right)]
  const textOf = (path: string, hash: string | undefined): string | null => {
    const isIt = (text: string) => hashOfText(text) === hash
    // What was not edited needs no unpacking, also where its archive went with the branch that knew an older svc.
    const here = code.get(path) ?? target.files.read(at(target, path)) ?? ''
    if (isIt(here)) return here
    archives ??= contents.flatMap((archive) => unpackRuntime(archive) ?? [])
    return archives.map((archive) => archive.get(path) ?? '').find(isIt) ?? null
  }
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    const text = ofBranches(textOf(path, ours.get(path)), textOf(path, theirs.get(path)))
    if (text !== null && !texts.has(path)) texts.set(path, text)
  }
  return texts
}

function readList(text: string): ReadonlyMap<string, string> {
  const rows = text.split(/\r?\n/).map((line) => line.split(' '))
  return new Map(rows.flatMap(([path, hash]) => (path && hash ? [[path, hash] as const] : [])))
}

/** What two branches that met in git wrote last, as git leaves them in a file. */
function ofBranches(left: string | null, right: string | null): string | null {
  if (left === null || right === null || left === right) return left ?? right
  return `${markers.mine}\n${left}${markers.between}\n${right}${markers.svc}\n`
}

/** What turns the stored base of the runtime into one that holds these texts; null: none any more. */
export function runtimeBaseChanges(
  target: Target,
  before: Base,
  after: ReadonlyMap<string, string | null>,
): readonly Change[] {
  const archive = runtimeArchive()
  const stored = new Map<string, string | null>()
  const rows: string[] = []
  for (const [path, text] of new Map([...before, ...after])) {
    if (!path.startsWith('runtime/')) continue
    const hash = text === null ? null : hashOfText(text)
    const isPacked = hash !== null && archive.hashes[path] === hash
    stored.set(path, isPacked ? null : text)
    if (isPacked) rows.push(`${path} ${hash}\n`)
  }
  const old = [...target.files.list(at(target, svcPaths.base)).keys()].filter((name) =>
    archived.test(name),
  )
  for (const name of old) if (name !== archive.name || rows.length === 0) stored.set(name, null)
  // An archive never changes: one of that name has these bytes.
  if (rows.length > 0 && !old.includes(archive.name)) stored.set(archive.name, archive.content)
  stored.set(list, rows.length === 0 ? null : rows.toSorted().join(''))
  return [...stored].map(([path, text]) => {
    return { path: `${svcPaths.base}/${path}`, before: read(target, path), after: text }
  })
}
