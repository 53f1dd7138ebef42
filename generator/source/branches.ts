import { mergeKeys } from './merge-keys.js'
import { agreedText, markers, mergeLines, plain } from './merge.js'

/** A text that git could not merge, as each branch had it. */
export interface Sides {
  readonly left: string
  readonly right: string
}

const starts = /^<{7} /m

/** Both branches' texts when git left its markers in the file; null when it is whole. */
export function splitSides(text: string): Sides | null {
  if (!starts.test(text)) return null
  const left: string[] = []
  const right: string[] = []
  let at: MarkerSide = 'both'
  for (const line of plain(text).split('\n')) {
    const next: MarkerSide = turn(line, at)
    if (next === at && at !== 'right' && at !== 'base') left.push(line)
    if (next === at && at !== 'left' && at !== 'base') right.push(line)
    at = next
  }
  return at === 'both' ? { left: left.join('\n'), right: right.join('\n') } : null
}

/** The text with the markers that `--conflicts=markers` wrote taken out; null when git left some in it too. */
export function withoutMarkers(text: string, settle: 'ours' | 'theirs'): string | null {
  const starts = plain(text).match(/^<{7} .*$/gm) ?? []
  const sides = starts.every((line) => line === markers.mine) ? splitSides(text) : null
  if (sides === null) return null
  return settle === 'ours' ? sides.left : sides.right
}

type MarkerSide = 'both' | 'left' | 'base' | 'right'

function turn(line: string, at: MarkerSide): MarkerSide {
  if (at === 'both' && line.startsWith('<<<<<<< ')) return 'left'
  if (at === 'left' && line.startsWith('|||||||')) return 'base'
  if ((at === 'left' || at === 'base') && line === '=======') return 'right'
  return at === 'right' && line.startsWith('>>>>>>> ') ? 'both' : at
}

/**
 * Two branches generated, each with edits of its own, and git met in the middle. Each branch's edits are brought to what
 * svc renders today, and then to each other. Null when they touch the same lines.
 */
export function mergeBranches(
  path: string,
  disk: string,
  base: string | null,
  rendered: string,
): string | null {
  const mine = splitSides(disk) ?? { left: disk, right: disk }
  const origin = base === null ? null : (splitSides(base) ?? { left: base, right: base })
  const merge = path === 'package.json' ? mergeKeys : mergeTexts
  const left = merge(mine.left, origin?.left ?? null, rendered)
  const right = merge(mine.right, origin?.right ?? null, rendered)
  return left === null || right === null ? null : merge(left, rendered, right)
}

const mergeTexts = (mine: string, base: string | null, svc: string) =>
  agreedText(mergeLines(mine, base ?? '', svc))

/** One branch's text, or what git merged of both: what differs from one is all from the other. */
function isOfBoth(text: string, { left, right }: Sides): boolean {
  if (text === left || text === right) return true
  const takes = (from: string, to: string) => agreedText(mergeLines(text, from, to)) === to
  return takes(left, right) && takes(right, left)
}

/** True when neither branch edited the file: each side is as that branch's svc wrote it. */
export function isUntouchedByBranches(disk: string, base: string | null): boolean {
  const mine = splitSides(disk)
  const origin = base === null ? null : splitSides(base)
  if (origin === null) return false
  if (mine === null) return isOfBoth(plain(disk), origin)
  return isOfBoth(mine.left, origin) && isOfBoth(mine.right, origin)
}
