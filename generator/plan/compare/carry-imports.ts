import { inStyleOf, plain, sameText } from '../../source/merge.js'
import { orderImportsAs, rewriteImports, sortImports } from '../../source/rewrite-imports.js'
import { importedFile, specifierOf, specifiersIn } from '../../source/specifiers.js'
import { tidy } from '../../source/tidy.js'
import type { PlanFile, Rendered, Snapshot } from '../status.js'
import type { Move } from './move.js'
import { movedRuntimeFiles, replacedFiles } from './moved-runtime-files.js'
import { renameExports } from './renamed-exports.js'

/** Files of the runtime that were edited, and that have another path today. Unedited ones are removed there and written here. */
export function runtimeMoves({ disk, base }: Snapshot): readonly Move[] {
  const paths = [...movedRuntimeFiles]
    .filter(([from]) => disk.has(from) && !sameText(disk.get(from) ?? '', base.get(from) ?? ''))
    .map(([from, to]) => ({ from, to }))
  return paths.length === 0 ? [] : [{ from: '', to: '', paths, identifiers: new Map() }]
}

export interface Carried {
  readonly snapshot: Snapshot
  /** Files that svc does not write, with the imports of today. */
  readonly ownersFiles: readonly PlanFile[]
}

/*
 *  edited by the developer     rewritten in it                         rewritten in its base
 *  svc's or shared             what svc wrote there, as svc writes     the same, so that what is left to merge
 *                              it today, in the order of today         is what either side changed
 *  yours, and in the base      what speaks of a file that has moved    the same as above
 *  anything else               what speaks of a file that has moved
 */

/** The project as if its imports were written today. `code`: all TypeScript of the project; `origins`: where moved files come from. */
export async function carryImports(
  snapshot: Snapshot,
  rendered: readonly Rendered[],
  code: ReadonlyMap<string, string>,
  origins: ReadonlyMap<string, string>,
): Promise<Carried> {
  const [disk, base] = [new Map(snapshot.disk), new Map(snapshot.base)]
  const owners = new Map(rendered.map(({ path, owner }) => [path, owner]))
  const isKept = keptFiles(snapshot, rendered)
  for (const [path, found] of snapshot.disk) {
    const written = snapshot.base.get(path)
    if (!isCode.test(path) || (found === written && !isKept(path))) continue
    const text = await renameExports(path, found)
    const origin = written === undefined ? undefined : await renameExports(path, written)
    if (origin !== undefined) base.set(path, origin)
    const from = originOf(path, origins)
    const owner = snapshot.ejected?.has(path) === true ? undefined : owners.get(path)
    const isWritten = owner !== undefined && origin !== undefined
    const model = isWritten ? await writtenToday(origin, from, path) : null
    if (model !== null) base.set(path, model)
    const isMerged = isWritten && model !== null && owner !== 'you'
    const carried = isMerged
      ? await carryEdited(text, { origin, model, from, path })
      : await carryText(text, from, path)
    disk.set(path, carried)
  }
  const others = [...code].filter(
    ([path]) => !snapshot.disk.has(path) && !isMovedAway(path, origins),
  )
  const ownersFiles = await Promise.all(others.map(([path, text]) => carryOwn(path, text)))
  return {
    snapshot: { ...snapshot, disk, base },
    ownersFiles: ownersFiles.filter((file) => file !== null),
  }
}

/** Files that svc leaves alone though nobody edited them: what it published or wrote once, and what was ejected. */
function keptFiles({ ejected }: Snapshot, rendered: readonly Rendered[]) {
  const once = rendered.filter(({ isWrittenOnce }) => isWrittenOnce === true)
  const paths = new Set(once.map(({ path }) => path))
  return (path: string) => paths.has(path) || ejected?.has(path) === true
}

const isCode = /\.[cm]?[jt]sx?$/

/** Only files of the runtime import each other by where they are. */
function originOf(path: string, origins: ReadonlyMap<string, string>): string {
  const origin = origins.get(path)
  return origin?.startsWith('runtime/') === true ? origin : path
}

const isMovedAway = (path: string, origins: ReadonlyMap<string, string>) =>
  [...origins.values()].includes(path)

const fileToday = (file: string) => movedRuntimeFiles.get(file) ?? replacedFiles.get(file)

/** What an import says today of a file that has moved, or that the importing file has moved away from. */
function movedSpecifier(specifier: string, from: string, to: string): string {
  const file = importedFile(from, specifier)
  const now = file === null ? undefined : fileToday(file)
  if (file === null || (now === undefined && from === to)) return specifier
  return specifierOf(now ?? file, to)
}

/** What svc writes today for an import that it wrote. */
function specifierToday(specifier: string, from: string, to: string): string {
  const file = importedFile(from, specifier)
  return file === null ? specifier : specifierOf(fileToday(file) ?? file, to)
}

const carryText = (text: string, from: string, to: string) =>
  rewriteImports(text, (each) => movedSpecifier(each, from, to))

/** svc's text of then with the imports of today; null: they are. */
async function writtenToday(origin: string, from: string, to: string): Promise<string | null> {
  const today = (specifier: string) => specifierToday(specifier, from, to)
  if (specifiersIn(origin).every((each) => today(each) === each)) return null
  return sortImports(await rewriteImports(plain(origin), today), tidy)
}

interface Written {
  /** svc's text of then, and with the imports of today. */
  readonly origin: string
  readonly model: string
  readonly from: string
  readonly path: string
}

async function carryEdited(text: string, { origin, model, from, path }: Written): Promise<string> {
  const written = new Set(specifiersIn(origin))
  const rewritten = await rewriteImports(plain(text), (each) =>
    written.has(each) ? specifierToday(each, from, path) : movedSpecifier(each, from, path),
  )
  return inStyleOf(text, await orderImportsAs(model, rewritten))
}

async function carryOwn(path: string, before: string): Promise<PlanFile | null> {
  const named = await renameExports(path, before)
  const content = await rewriteImports(named, (each) => movedSpecifier(each, path, path))
  if (content === before) return null
  const empty = { rendered: null, baseBefore: null, base: null, aside: null } as const
  return { path, owner: 'you', status: 'merge', before, content, note: 'imports', ...empty }
}

/** A planned file as the disk sees it: what was only carried is a change as well. */
export function asCarried(file: PlanFile, before: string | null): PlanFile {
  if (file.before === before || before === null) return file
  const isLeft = file.status === 'conflict' && file.content === file.before
  if (isLeft) return { ...file, before, content: before }
  const isKept = file.status === 'same' || file.status === 'keep'
  return isKept ? { ...file, before, status: 'merge', note: 'imports' } : { ...file, before }
}
