import { diffIndices } from 'node-diff3'
import { plain } from './merge.js'

const context = 3

interface Hunk {
  readonly before: readonly [start: number, length: number]
  readonly after: readonly [start: number, length: number]
}

/*
 * `diff` (jsdiff) prints the same, and takes 14 s where 6,000 lines have become others; node-diff3, which merges are made
 * with anyway, takes 20 ms.
 */

/** The lines of a unified diff, or none when the texts are the same. Null: there is no such file on that side. */
export function unifiedDiff(
  path: string,
  before: string | null,
  after: string | null,
): readonly string[] {
  if (isBinary(before) || isBinary(after)) {
    return before === after
      ? []
      : [`Binary files ${sides(path, before, after).join(' and ')} differ`]
  }
  const [left, right] = [linesOf(before), linesOf(after)]
  const hunks = hunksOf(left, right)
  if (hunks.length === 0) return []
  const lines = hunks.flatMap((group) => [header(group, left), ...body(group, left, right)])
  const [old, next] = sides(path, before, after)
  return [`--- ${old}`, `+++ ${next}`, ...lines]
}

/** As Git tells: a tarball, say. */
const isBinary = (text: string | null) => text?.slice(0, 8000).includes('\0') === true

const sides = (path: string, before: string | null, after: string | null) =>
  [side('a', path, before), side('b', path, after)] as const

const side = (letter: string, path: string, text: string | null) =>
  text === null ? '/dev/null' : `${letter}/${path}`

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return []
  const lines = plain(text).split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Changes that lie close together share a hunk. The library keeps lines in a plain object, so each gets a prefix. */
function hunksOf(left: readonly string[], right: readonly string[]): readonly (readonly Hunk[])[] {
  const keyed = (lines: readonly string[]) => lines.map((line) => `:${line}`)
  const groups: Hunk[][] = []
  for (const { buffer1, buffer2 } of diffIndices(keyed(left), keyed(right))) {
    const hunk = { before: buffer1, after: buffer2 }
    const last = groups.at(-1)?.at(-1)
    const isNear =
      last !== undefined && buffer1[0] - (last.before[0] + last.before[1]) <= 2 * context
    if (isNear) groups.at(-1)?.push(hunk)
    if (!isNear) groups.push([hunk])
  }
  return groups
}

function header(group: readonly Hunk[], left: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return ''
  const lead = Math.min(context, first.before[0])
  const lastLine = last.before[0] + last.before[1]
  const trail = Math.min(context, left.length - lastLine)
  const spans = [first.before, first.after].map(([start]) => start - lead)
  const ends = [lastLine, last.after[0] + last.after[1]].map((end) => end + trail)
  const [before, after] = spans.map((start, index) => range(start, (ends[index] ?? 0) - start))
  return `@@ -${before} +${after} @@`
}

const range = (start: number, length: number) => `${length === 0 ? start : start + 1},${length}`

function body(group: readonly Hunk[], left: readonly string[], right: readonly string[]): string[] {
  const lines: string[] = []
  let at = Math.max(0, (group[0]?.before[0] ?? 0) - context)
  for (const { before, after } of group) {
    lines.push(...left.slice(at, before[0]).map((line) => ` ${line}`))
    lines.push(...left.slice(before[0], before[0] + before[1]).map((line) => `-${line}`))
    lines.push(...right.slice(after[0], after[0] + after[1]).map((line) => `+${line}`))
    at = before[0] + before[1]
  }
  return [...lines, ...left.slice(at, at + context).map((line) => ` ${line}`)]
}
