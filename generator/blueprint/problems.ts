import type { Problem } from './types.js'

export { nearest } from '../manifest/nearest.js'

/**
 * A place in the manifest: the repository's key, then the steps from there, e.g. `['posts', 'sort',
 * 1]`.
 */
export type Path = readonly (string | number)[]

/** First step of a path into what `defineManifest` is given. */
export const MANIFEST = ''

export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A problem that knows its place in the manifest, but not yet in the file. */
export interface Finding {
  readonly rule: string
  readonly at: Path
  readonly message: string
  readonly known?: readonly string[]
  readonly fix?: string
}

export type Report = (finding: Finding) => void

/** The checked part, and the place to report its problems at. */
export interface Place {
  readonly at: Path
  /** The part's name in messages: `field 'title'`; of several fields, `field` or `pivot field`. */
  readonly what: string
  readonly report: Report
}

/** Findings at their places in the files. */
export function locateFindings(
  findings: readonly Finding[],
  locate: (path: Path) => Position,
): readonly Problem[] {
  return inFileOrder(findings.map(({ at, ...finding }) => ({ ...locate(at), ...finding })))
}

/** Problems as one reads the files, each once. */
export function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems
    .toSorted(byPlace)
    .filter((problem, index, all) => !isSame(problem, all[index - 1]))
}

/**
 * Problems as people read them:
 *
 *     manifest/posts.ts:12:5  related 'author' points at 'user', and there is no such repository
 *       known  comments, companies, posts, roles, users
 *       fix    author: belongsTo('users')
 */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n\n')
}

function formatProblem({ file, line, column, message, known, fix }: Problem): string {
  const lines = [`${file}:${line}:${column}  ${message}`]
  if (known !== undefined) lines.push(`  known  ${known.length === 0 ? 'none' : known.join(', ')}`)
  if (fix !== undefined) lines.push(`  fix    ${fix.replaceAll(/\n(?=.)/g, '\n         ')}`)
  return lines.join('\n')
}

function byPlace(one: Problem, other: Problem): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1
  return one.line - other.line || one.column - other.column
}

const isSame = (one: Problem, other: Problem | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)
