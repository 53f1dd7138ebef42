import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files whose functions answer with objects that name columns. */
export const isAnswering = /^app\/(Policies|Hooks|Filters)\//

/**
 * Whether a file answers with objects that may have a key too many, of which a compiler says nothing (see `excessKeys`): one that
 * changed itself, or that speaks of a key which is gone.
 */
export function answersWithGone(
  root: string,
  before: readonly (readonly [path: string, text: string | null])[],
): (path: string) => boolean {
  const changed = new Set(before.map(([path]) => path))
  const names = new Set(before.flatMap(([path, text]) => namesGone(text ?? '', read(root, path))))
  const spoken = names.size === 0 ? null : new RegExp(`\\b(?:${[...names].join('|')})\\b`)
  return (path) =>
    isAnswering.test(path) && (changed.has(path) || spoken?.test(read(root, path)) === true)
}

/** Keys that a text has more often than another: of a repository, columns that are gone. */
function namesGone(whole: string, wholeNow: string): readonly string[] {
  const [before, now] = differing(whole, wholeNow)
  const left = new Map<string, number>()
  for (const name of keysIn(now)) left.set(name, (left.get(name) ?? 0) + 1)
  return keysIn(before).filter((name) => {
    const more = (left.get(name) ?? 0) - 1
    left.set(name, more)
    return more < 0
  })
}

/** Two texts without the lines that both begin and end with: a file of all repositories has megabytes, and differs in a line. */
function differing(one: string, other: string): readonly [string, string] {
  const [left, right] = [one.split('\n'), other.split('\n')]
  const most = Math.min(left.length, right.length)
  let first = 0
  while (first < most && left[first] === right[first]) first += 1
  let last = 0
  while (last < most - first && left.at(-1 - last) === right.at(-1 - last)) last += 1
  const middle = (lines: readonly string[]) => lines.slice(first, lines.length - last).join('\n')
  return [middle(left), middle(right)]
}

const keysIn = (text: string): readonly string[] =>
  [...text.matchAll(/(\w+)['"]?\??:/g)].map(([, name = '']) => name)

function read(root: string, path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return '' // it went away
  }
}
