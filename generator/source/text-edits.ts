/** A text put between two places of another. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text })

/** Later places first, so that earlier ones stay where they are; at one place, in the order given. */
export function splice(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, index) => ({ ...edit, index }))
  ordered.sort((a, b) => b.start - a.start || b.index - a.index)
  return ordered.reduce(
    (whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end),
    text,
  )
}

/** Takes a part out, with the line it had for itself; what else is on its line, a comment say, stays. */
export function deletion(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const lineEnd = next === -1 ? text.length : next
  const [before, after] = [text.slice(lineStart, start), text.slice(end, lineEnd)]
  if (before.trim() !== '') return { start, end, text: '' }
  if (after.trim() !== '')
    return { start, end: end + (/^[ \t]*/.exec(after)?.[0].length ?? 0), text: '' }
  return { start: lineStart, end: Math.min(lineEnd + 1, text.length), text: '' }
}
