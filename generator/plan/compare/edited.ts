import { mergeBranches, withoutMarkers } from '../../source/branches.js'
import { mergeKeys } from '../../source/merge-keys.js'
import {
  agreedText,
  hasOwnMarkers,
  inStyleOf,
  mergeLines,
  sameText,
  settledText,
} from '../../source/merge.js'
import type { PlanFile, PlanOptions } from '../status.js'
import { accept, keptFile, result, written, type At } from './outcome.js'
import { editRoutes } from './routes-file.js'

/** Edited by the developer, and svc renders something else today. */
export async function planEdited(at: At, options: PlanOptions): Promise<PlanFile> {
  const { file, base } = at
  const disk = at.disk ?? ''
  if (file.path === 'package.json') {
    const merged = mergeKeys(disk, base, file.content)
    if (merged !== null) return accept(at, merged)
  }
  if (file.path === 'routes/api.ts' && isRoutes(disk)) {
    const edited = await editRoutes(disk, base, file.content)
    if (edited !== null && (await options.parses(file.path, edited))) return accept(at, edited)
  }
  if (file.owner === 'shared' && base === null && !options.force) return keptFile(at, file.content)
  if (file.owner === 'svc' && options.force) return { ...written(at, 'update'), note: 'replaced' }
  const regions = mergeLines(disk, base ?? '', file.content)
  const merged = agreedText(regions)
  if (merged !== null && (await options.parses(file.path, merged))) return accept(at, merged)
  if (options.force) return { ...written(at, 'update'), note: 'replaced' }
  if (options.conflicts === 'stop') return result(at, 'conflict', { base, aside: file.content })
  return settle(at, settledText(regions, options.conflicts), options)
}

/**
 * A settled text is accepted when it can be read; the developer's lines that were replaced are
 * named.
 */
async function settle(at: At, settled: string, options: PlanOptions): Promise<PlanFile> {
  const { path, content } = at.file
  if (options.conflicts === 'markers') return marked(at, settled)
  if (await options.parses(path, settled)) {
    const merged = accept(at, settled)
    const isLost = options.conflicts === 'theirs' && merged.status === 'merge'
    return isLost ? { ...merged, note: 'replaced' } : merged
  }
  const isMine = options.conflicts === 'ours' && (await options.parses(path, at.disk ?? ''))
  if (isMine) return result(at, 'keep', { note: 'outdated' })
  return result(at, 'conflict', { base: at.base, aside: content, note: 'unreadable' })
}

/** A file that exports no `api` is somebody's own arrangement. */
const isRoutes = (text: string) => /export const api\b/.test(text)

function marked(at: At, text: string): PlanFile {
  if (!hasOwnMarkers(text)) return result(at, 'conflict', { base: at.base, aside: at.file.content })
  return result(at, 'conflict', { content: text })
}

/** Git left its markers in the file or in its base. */
export async function planTorn(at: At, options: PlanOptions): Promise<PlanFile> {
  const { path, content } = at.file
  const merged = mergeBranches(path, at.disk ?? '', at.base, content)
  if (merged !== null && sameText(merged, content)) return written(at, 'update')
  if (merged !== null && (await options.parses(path, merged))) return accept(at, merged)
  if (options.force) return { ...written(at, 'update'), note: 'replaced' }
  if (options.conflicts === 'theirs') return { ...written(at, 'update'), note: 'replaced' }
  return result(at, 'conflict', { base: at.base, aside: content })
}

/** `--conflicts=markers` put both versions into the file, and they are still there. */
export async function planMarked(at: At, options: PlanOptions): Promise<PlanFile> {
  if (options.force) return { ...written(at, 'update'), note: 'replaced' }
  const unfinished = result(at, 'conflict', { base: at.base, note: 'unfinished' })
  const { conflicts } = options
  if (conflicts === 'stop' || conflicts === 'markers') return unfinished
  const disk = withoutMarkers(at.disk ?? '', conflicts)
  if (disk === null || !(await options.parses(at.file.path, disk))) return unfinished
  const file = sameText(disk, at.file.content)
    ? written(at, 'merge')
    : await planEdited({ ...at, disk }, options)
  if (file.status === 'conflict') return unfinished
  const content = inStyleOf(at.disk, file.content ?? disk)
  const note = conflicts === 'theirs' ? 'replaced' : file.note
  return { ...file, status: 'merge', before: at.disk, content, note }
}
