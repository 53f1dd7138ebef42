import { badRequest } from '../../errors.js'

/**
 * The grammar of `include` and `related`:
 *
 *   list     path, path, …          empty paths are skipped
 *   path     segment.segment. …
 *   segment  name or name[column|column] or name[column,column]
 *
 * Spaces around names are ignored. Paths with a common head are one; their column lists are added
 * up, and a mention without a list adds nothing to them. Takes linear time. Pure.
 */
export interface IncludeNode {
  readonly key: string
  /** Null: every column. */
  readonly columns: readonly string[] | null
  readonly children: IncludeTree
  /** Its key under `relationships`, where that is another one. */
  readonly as?: string
  /** To-many relations: which of the related records. */
  readonly part?: RelatedPart
  /** To-many relations: how many related records there are, instead of the records. */
  readonly isCount?: true
}

/** What is asked of one related collection. */
export interface RelatedPart {
  /** From 1. */
  readonly page?: number
  /** Null: what the request or the repository says. */
  readonly perPage?: number | null
  readonly search?: string | null
  readonly sort?: readonly SortKey[]
  readonly match?: readonly MatchValue[]
}

export interface SortKey {
  /** A column, or `owner.name`. */
  readonly key: string
  readonly descending: boolean
}

/** A parameter that may be a match column: `title=a`, `-title=a`, `filter[title]=a`. */
export interface MatchValue {
  readonly column: string
  readonly negated: boolean
  readonly text: string
}

export type IncludeTree = readonly IncludeNode[]

export interface IncludeLimits {
  /** Segments of one path. */
  readonly maxDepth: number
  /** Distinct relations asked for, at all levels together. */
  readonly maxPaths: number
}

interface Draft {
  readonly columns: Set<string>
  readonly children: Drafts
}

type Drafts = Map<string, Draft>

interface Cursor {
  readonly parameter: string
  readonly text: string
  at: number
}

/**
 * Reads parameters such as `['include', 'owner,comments[body].user']` into one tree; 400 when one
 * is malformed.
 */
export function parseInclude(
  parameters: readonly (readonly [name: string, text: string])[],
  limits: IncludeLimits,
): IncludeTree {
  const root: Drafts = new Map()
  let paths = 0
  for (const [parameter, text] of parameters) {
    const cursor = { parameter, text, at: 0 }
    while (cursor.at < text.length) {
      paths += readPath(cursor, root, limits.maxDepth)
      if (paths > limits.maxPaths) {
        throw malformed(parameter, `asks for more than ${limits.maxPaths} relations`)
      }
      cursor.at++ // the comma
    }
  }
  return finished(root)
}

/** Reads up to a comma or the end, and returns how many relations it added. */
function readPath(cursor: Cursor, root: Drafts, maxDepth: number): number {
  if (skipSpaces(cursor) === ',' || cursor.at >= cursor.text.length) return 0
  let siblings = root
  let added = 0
  for (let depth = 1; ; depth++) {
    if (depth > maxDepth) throw malformed(cursor.parameter, `is nested deeper than ${maxDepth}`)
    const key = readName(cursor)
    let draft = siblings.get(key)
    if (draft === undefined) {
      draft = { columns: new Set(), children: new Map() }
      siblings.set(key, draft)
      added++
    }
    if (peek(cursor) === '[') readColumns(cursor, draft.columns)
    const next = skipSpaces(cursor)
    if (next === undefined || next === ',') return added
    if (next !== '.') throw unexpected(cursor)
    cursor.at++
    siblings = draft.children
  }
}

function readColumns(cursor: Cursor, columns: Set<string>): void {
  do {
    cursor.at++ // the bracket, then each separator
    columns.add(readName(cursor))
  } while (peek(cursor) === '|' || peek(cursor) === ',')
  if (peek(cursor) === undefined) throw malformed(cursor.parameter, "has a '[' without ']'")
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

function finished(drafts: Drafts): IncludeTree {
  return [...drafts].map(([key, { columns, children }]) => ({
    key,
    columns: columns.size === 0 ? null : [...columns],
    children: finished(children),
  }))
}

function unexpected(cursor: Cursor): Error {
  const found = peek(cursor)
  const what = found === undefined ? 'ends too early' : `has an unexpected '${found}'`
  return malformed(cursor.parameter, `${what} at character ${cursor.at + 1}`)
}

function malformed(parameter: string, problem: string): Error {
  const message = `The ${parameter} parameter ${problem}.`
  return badRequest(message, { [parameter]: [message] })
}
