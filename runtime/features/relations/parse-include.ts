import { badParameter, type IncludeTexts, type IncludeTree } from '../../query/query.js'

/** Limits of one request. */
export interface IncludeLimits {
  /** Segments of one path. */
  readonly maxDepth: number
  /** Distinct relations asked for, at all levels together. */
  readonly maxPaths: number
}

/** A relation while paths are read. */
interface Branch {
  readonly columns: Set<string>
  readonly children: Branches
}

type Branches = Map<string, Branch>

interface Cursor {
  readonly parameter: string
  readonly text: string
  at: number
}

/**
 * The grammar of `include` and `related`:
 *
 *   list     path, path, …          empty paths are skipped
 *   path     segment.segment. …
 *   segment  name or name[column|column] or name[column,column]
 *
 * Spaces around names are ignored. Paths with a common head are one; their column lists are added
 * up, and a mention without a list adds nothing to them. Takes linear time. Pure.
 *
 * Reads parameters such as `['include', 'owner,comments[body].user']` into one tree; 400 when one
 * is malformed.
 */
export function parseInclude(parameters: IncludeTexts, limits: IncludeLimits): IncludeTree {
  const root: Branches = new Map()
  let paths = 0
  for (const [parameter, text] of parameters) {
    const cursor = { parameter, text, at: 0 }
    while (cursor.at < text.length) {
      paths += readPath(cursor, root, limits.maxDepth)
      if (paths > limits.maxPaths) {
        throw badParameter(parameter, `asks for more than ${limits.maxPaths} relations`)
      }
      cursor.at++ // the comma
    }
  }
  return finished(root)
}

/** Reads up to a comma or the end, and returns how many relations it added. */
function readPath(cursor: Cursor, root: Branches, maxDepth: number): number {
  if (skipSpaces(cursor) === ',' || cursor.at >= cursor.text.length) return 0
  let siblings = root
  let added = 0
  for (let depth = 1; ; depth++) {
    if (depth > maxDepth) throw badParameter(cursor.parameter, `is nested deeper than ${maxDepth}`)
    const key = readName(cursor)
    let branch = siblings.get(key)
    if (branch === undefined) {
      branch = { columns: new Set(), children: new Map() }
      siblings.set(key, branch)
      added++
    }
    if (peek(cursor) === '[') readColumns(cursor, branch.columns)
    const next = skipSpaces(cursor)
    if (next === undefined || next === ',') return added
    if (next !== '.') throw unexpected(cursor)
    cursor.at++
    siblings = branch.children
  }
}

function readColumns(cursor: Cursor, columns: Set<string>): void {
  do {
    cursor.at++ // the bracket, then each separator
    columns.add(readName(cursor))
  } while (peek(cursor) === '|' || peek(cursor) === ',')
  if (peek(cursor) === undefined) throw badParameter(cursor.parameter, "has a '[' without ']'")
  if (peek(cursor) !== ']') throw unexpected(cursor)
  cursor.at++
}

const isPunctuation = (character: string): boolean => '.,[]|'.includes(character)

function readName(cursor: Cursor): string {
  const { text } = cursor
  const start = cursor.at
  while (cursor.at < text.length && !isPunctuation(text.charAt(cursor.at))) cursor.at++
  const name = text.slice(start, cursor.at).trim()
  if (name === '') throw unexpected(cursor)
  return name
}

function peek(cursor: Cursor): string | undefined {
  return cursor.text[cursor.at]
}

function skipSpaces(cursor: Cursor): string | undefined {
  while (peek(cursor) === ' ') cursor.at++
  return peek(cursor)
}

function finished(branches: Branches): IncludeTree {
  return [...branches].map(([key, { columns, children }]) => ({
    key,
    columns: columns.size === 0 ? null : [...columns],
    children: finished(children),
  }))
}

function unexpected(cursor: Cursor): Error {
  const found = peek(cursor)
  const what = found === undefined ? 'ends too early' : `has an unexpected '${found}'`
  return badParameter(cursor.parameter, `${what} at character ${cursor.at + 1}`)
}
