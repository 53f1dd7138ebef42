import { colors, headline, notesOf } from './lines.js'
import type { WhyList } from './why-list.js'

/** Lists how many records each part of a request leaves. */
export function listLines(why: WhyList, isColored = false): readonly string[] {
  const paint = colors(isColored)
  const width = Math.max(0, ...why.stages.map(({ count }) => String(count).length))
  const stages = why.stages.map(({ count, words, empties }) => {
    const line = `  ${String(count).padStart(width)}  ${words}`
    return empties ? `${paint.removed(line)}${paint.bold('  ← empties the list')}` : line
  })
  return [headline(why, paint), ...(stages.length === 0 ? [] : ['', ...stages]), ...notesOf(why)]
}
