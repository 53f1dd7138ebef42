import type { Problem } from './types.js'

/** Where in the manifest: the repository's key, then the steps from there, e.g. `['posts', 'sort', 1]`. */
export type Path = readonly (string | number)[]

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

/** Findings at their places in the files, in file order, each once. */
export function locateFindings(
  findings: readonly Finding[],
  locate: (path: Path) => Position,
): readonly Problem[] {
  const problems = findings.map(({ at, ...finding }) => ({ ...locate(at), ...finding }))
  return problems.toSorted(byPlace).filter((problem, index, all) => !isSame(problem, all[index - 1]))
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
  if (fix !== undefined) lines.push(`  fix    ${fix.replaceAll('\n', '\n         ')}`)
  return lines.join('\n')
}

function byPlace(one: Problem, other: Problem): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1
  return one.line - other.line || one.column - other.column
}

const isSame = (one: Problem, other: Problem | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** The known name that was probably meant: few letters away, or the same in another case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(fold(name), fold(candidate)) }))
    .toSorted((one, other) => one.distance - other.distance)
  const best = ranked[0]
  const allowed = Math.max(1, Math.floor(name.length / 3))
  return best !== undefined && best.distance <= allowed ? best.candidate : undefined
}

const fold = (name: string) => name.toLowerCase().replace(/[-_]/g, '')

/** Levenshtein's distance, row by row. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [place, against] of [...other].entries()) {
      const replaced = (row[place] ?? 0) + (letter === against ? 0 : 1)
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
