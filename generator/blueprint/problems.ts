import type { Problem } from './types.js'

/** Where in the manifest: the repository's key, then the steps from there, e.g. `['posts', 'sort', 1]`. */
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

/** Findings at their places in the files, in file order, each once. */
export function locateFindings(
  findings: readonly Finding[],
  locate: (path: Path) => Position,
): readonly Problem[] {
  const problems = findings.map(({ at, ...finding }) => ({ ...locate(at), ...finding }))
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

/** Letters to add, leave out, replace, or swap with their neighbours. */
function distance(one: string, other: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let index = 1; index <= one.length; index++) {
    const next = [index]
    for (let place = 1; place <= other.length; place++) {
      const isSame = one[index - 1] === other[place - 1]
      const isSwapped = one[index - 1] === other[place - 2] && one[index - 2] === other[place - 1]
      const costs = [
        at(row, place - 1) + (isSame ? 0 : 1),
        at(row, place) + 1,
        at(next, place - 1) + 1,
        ...(isSwapped && index > 1 ? [at(before, place - 2) + 1] : []),
      ]
      next.push(Math.min(...costs))
    }
    before = row
    row = next
  }
  return at(row, other.length)
}

const at = (row: readonly number[], place: number) => row[place] ?? Infinity
