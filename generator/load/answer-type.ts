import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Position } from './position.js'

/** The type argument of the call that stands at a place, as it is written: `{ minutes: number }`. */
export function typeArgumentAt(root: string, { file, line, column }: Position): string | null {
  const lines = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .slice(line - 1)
  const text = [lines[0]?.slice(column - 1), ...lines.slice(1)].join('\n')
  const start = /^[\w$.\s]*</.exec(text)?.[0].length
  if (start === undefined) return null
  const end = closing(text.slice(start))
  return end === null ? null : plain(text.slice(start, start + end))
}

const TOKENS = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|=>|[<>]/g

/** Finds the `>` that closes a `<` before the text. */
function closing(text: string): number | null {
  let depth = 1
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '<') depth++
    if (token === '>' && --depth === 0) return index
  }
  return null
}

/** On one line, without comments. A line break that alone separates two members becomes a semicolon. */
function plain(text: string): string {
  const open: string[] = []
  let written = ''
  let before = ''
  let space = ''
  for (const [piece] of text.matchAll(PIECES)) {
    if (/^(\s|\/[/*])/.test(piece)) {
      space += piece
      continue
    }
    const isMember = open.at(-1) === '{' && !GOES_ON.test(before) && !CONTINUES.test(piece)
    if (isMember && space.includes('\n')) written += ';'
    written += space === '' || before === '' ? piece : ` ${piece}`
    if (/^[{([<]$/.test(piece)) open.push(piece)
    if (/^[})\]>]$/.test(piece)) open.pop()
    before = piece
    space = ''
  }
  return written
}

const PIECES =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|=>|[\w$]+|\s+|[^]/g

/** After these, and before those, a type goes on in the next line. */
const GOES_ON = /^([{([<|&,;:?.=]|=>|extends|in|infer|is|keyof|typeof|unique)$/
const CONTINUES = /^([})\]>|&,;:?.=]|=>)$/
