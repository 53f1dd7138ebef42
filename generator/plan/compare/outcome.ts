import { splitSides } from '../../source/branches.js'
import { inStyleOf, sameText } from '../../source/merge.js'
import type { PlanFile, Rendered, Status } from '../status.js'

/** A file where it is decided: rendered today, on the disk, and as svc wrote it last. */
export interface At {
  readonly file: Rendered
  readonly disk: string | null
  readonly base: string | null
}

/** Git left its markers in the text. */
export const isTorn = (text: string | null) => text !== null && splitSides(text) !== null

/** A merge that changes nothing on disk is a file that was right already. */
export function accept(at: At, merged: string): PlanFile {
  return sameText(merged, at.disk) ? result(at, 'keep') : result(at, 'merge', { content: merged })
}

export function keptFile(at: At, base: string | null): PlanFile {
  const isOutdated = !sameText(base, at.file.content)
  return result(at, 'keep', { base, note: isOutdated ? 'outdated' : null })
}

export const written = (at: At, status: Status) => result(at, status, { content: at.file.content })

export function result(at: At, status: Status, changes: Partial<PlanFile> = {}): PlanFile {
  const { file, disk, base } = at
  const { content = disk, ...rest } = changes
  return {
    path: file.path,
    owner: file.owner,
    status,
    before: disk,
    content: content === null || content === disk ? content : inStyleOf(disk, content),
    rendered: file.content,
    baseBefore: base,
    base: file.content,
    aside: null,
    note: null,
    ...rest,
  }
}
