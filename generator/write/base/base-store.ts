import { posix } from 'node:path'
import {
  hashOfText,
  runtimeArchive,
  unpackRuntime,
  type RuntimeTexts,
} from '../../plan/render/runtime-archive.js'
import { splitSides } from '../../source/branches.js'
import { sameText } from '../../source/merge.js'
import type { Change } from '../run/change.js'
import { at, svcPaths, type Target } from '../target.js'
import { archiveOf, ofBranches, readArchive, type Archive, type Sections } from './base-archive.js'
import type { Base, Code } from './snapshot.js'

/*
 *  .svc/base.txt             the text of each file as svc wrote it last, a section a file
 *
 *  A project that has runtime/ as its own:
 *  .svc/runtime-<hash>.…     every file of the runtime of one svc, packed; base.txt has those of which svc wrote another text
 *  .svc/runtime-files.txt    the files that are in it, each with a hash of the text that svc wrote last
 */

const list = 'runtime-files.txt'
const archived = /^runtime-[0-9a-f]+\.br\.txt$/

/** By path, the text of each file as svc wrote it last. `code`: what was read of the project already. */
export function readBase(target: Target, code: Code = new Map()): Base {
  const texts = new Map([...sectionsOf(target)].map(([path, { text }]) => [path, text]))
  return unpacked(target, texts, code)
}

/** The text of one file as svc wrote it last; null: it wrote none. Files of the runtime are not asked for. */
export const baseText = (target: Target, path: string): string | null =>
  sectionsOf(target).get(path)?.text ?? null

/** False before the first run. */
export const hasBase = (target: Target) => target.files.kind(at(target, svcPaths.base)) !== null

const sectionsOf = (target: Target): Sections => archiveIn(target).sections

interface Stored extends Archive {
  /** All of it, as it was read; null: there is none. */
  readonly whole: string | null
}

let last: { readonly stamp: string; readonly stored: Stored } | undefined

const none: Stored = { whole: null, sections: new Map(), isTorn: false }

/** A run asks for it many times, and it is as large as the project. What it was read from is compared before it is written. */
function archiveIn(target: Target): Stored {
  const path = at(target, svcPaths.base)
  const stamp = target.files.stamp(path)
  if (stamp !== null && last?.stamp === stamp) return last.stored
  const whole = target.files.read(path)
  if (whole === null || stamp === null) return none
  last = { stamp, stored: { whole, ...readArchive(whole, svcPaths.base) } }
  return last.stored
}

/** Paths of the archives of the runtime: one, or those of two branches that were upgraded differently. */
function archivesIn(target: Target): readonly string[] {
  if (target.files.kind(at(target, svcPaths.folder)) !== 'folder') return []
  const names = [...target.files.list(at(target, svcPaths.folder)).keys()]
  const found = names.filter((name) => archived.test(name))
  return found.map((name) => `${svcPaths.folder}/${name}`).toSorted()
}

function unpacked(target: Target, texts: Map<string, string>, code: Code): Base {
  const read = (path: string) => target.files.read(at(target, path))
  const text = read(`${svcPaths.folder}/${list}`)
  if (text === null) return texts
  let archives: readonly RuntimeTexts[] | undefined
  const contents = () =>
    archivesIn(target).map((path) => ({ name: posix.basename(path), content: read(path) ?? '' }))
  const { left, right } = splitSides(text) ?? { left: text, right: text }
  const ours = readList(left)
  const theirs = left === right ? ours : readList(right)
  const textOf = (path: string, hash: string | undefined): string | null => {
    const isIt = (text: string) => hashOfText(text) === hash
    // An unedited file needs no unpacking, even where its archive went with a branch.
    const here = code.get(path) ?? read(path) ?? ''
    if (isIt(here)) return here
    archives ??= contents().flatMap((archive) => unpackRuntime(archive) ?? [])
    return archives.map((archive) => archive.get(path) ?? '').find(isIt) ?? null
  }
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    const merged = ofBranches(textOf(path, ours.get(path)), textOf(path, theirs.get(path)))
    if (merged !== null && !texts.has(path)) texts.set(path, merged)
  }
  return texts
}

function readList(text: string): ReadonlyMap<string, string> {
  const rows = text.split(/\r?\n/).map((line) => line.split(' '))
  return new Map(rows.flatMap(([path, hash]) => (path && hash ? [[path, hash] as const] : [])))
}

/** Returns the changes that give the stored base these texts; null: removed. All others stay. */
export function baseChanges(
  target: Target,
  before: Base,
  after: ReadonlyMap<string, string | null>,
): readonly Change[] {
  const texts = new Map(before)
  let isStale = false
  for (const [path, text] of after) {
    if (sameText(text, before.get(path) ?? null)) continue
    isStale = true
    if (text === null) texts.delete(path)
    else texts.set(path, text)
  }
  const runtime = runtimeStore(target, texts)
  for (const path of runtime.packed) texts.delete(path)
  const known = archiveIn(target)
  const isKept = !isStale && isSettled(known, texts)
  const stored = new Map<string, string | null>([
    ...runtime.files,
    ...(isKept ? [] : [[svcPaths.base, archiveOrNone(texts, known)] as const]),
  ])
  const read = (path: string) =>
    path === svcPaths.base ? known.whole : target.files.read(at(target, path))
  return [...stored]
    .map(([path, text]) => ({ path, before: read(path), after: text }))
    .filter((change) => change.before !== change.after)
}

/** Returns the archive; none where svc wrote nothing. */
const archiveOrNone = (texts: Base, { sections }: Archive) =>
  texts.size === 0 ? null : archiveOf(texts, sections)

/** True when the archive is in one piece, and holds what it should. */
const isSettled = ({ sections, isTorn }: Archive, texts: Base) =>
  !isTorn &&
  sections.size === texts.size &&
  [...sections].every(([path, { text }]) => texts.get(path) === text)

interface RuntimeStore {
  /** The runtime files in the archive. */
  readonly packed: readonly string[]
  readonly files: ReadonlyMap<string, string | null>
}

function runtimeStore(target: Target, texts: Base): RuntimeStore {
  const old = archivesIn(target)
  const listed = `${svcPaths.folder}/${list}`
  const paths = [...texts.keys()].filter((path) => path.startsWith('runtime/')).toSorted()
  const files = new Map<string, string | null>([...old, listed].map((path) => [path, null]))
  if (paths.length === 0) return { packed: [], files }
  const { name, content, hashes } = runtimeArchive()
  const rows = paths.flatMap((path) => {
    const hash = hashOfText(texts.get(path) ?? '')
    return hashes[path] === hash ? [{ path, row: `${path} ${hash}\n` }] : []
  })
  if (rows.length === 0) return { packed: [], files }
  const path = `${svcPaths.folder}/${name}`
  // An archive never changes: one of that name has these bytes.
  if (old.includes(path)) files.delete(path)
  else files.set(path, content)
  files.set(listed, rows.map(({ row }) => row).join(''))
  return { packed: rows.map((each) => each.path), files }
}
