import { formatProblems } from '../../blueprint/problems.js'
import type { PlanFile } from '../../plan/status.js'
import { unifiedDiff } from '../../source/unified-diff.js'
import { generate } from '../change/generate-project.js'
import type { Features } from '../context.js'
import { exitCodes } from '../failure.js'
import { colors, type Colors } from '../report/style.js'

export interface DiffOptions {
  readonly side: 'next' | 'mine' | 'upstream'
  /** Files or folders; none: all. */
  readonly paths: readonly string[]
  readonly isColored: boolean
}

export async function diffProject(
  root: string,
  features: Features,
  { side, paths, isColored }: DiffOptions,
): Promise<{ lines: readonly string[]; exitCode: number }> {
  const outcome = await generate(root, {
    features,
    conflicts: 'stop',
    force: false,
    isWriting: false,
  })
  if (outcome.kind === 'problems') {
    return { lines: [formatProblems(outcome.problems)], exitCode: exitCodes.problems }
  }
  const files = outcome.prepared.plan.files.filter(({ path }) => isAsked(path, paths))
  const lines = files.flatMap((file) => unifiedDiff(file.path, ...sides[side](file)))
  const painted = paintDiff(lines, isColored)
  return { lines: painted.length === 0 ? ['No differences.'] : painted, exitCode: exitCodes.done }
}

export const paintDiff = (lines: readonly string[], isColored: boolean): readonly string[] =>
  lines.map((line) => painter(line, colors(isColored))(line))

type Sides = (file: PlanFile) => [before: string | null, after: string | null]

const sides: Record<DiffOptions['side'], Sides> = {
  next: ({ before, content, aside }) => [before, aside ?? content],
  mine: ({ before, baseBefore }) => (baseBefore === null ? [before, before] : [baseBefore, before]),
  upstream: ({ before, rendered }) => [before, rendered],
}

function isAsked(path: string, paths: readonly string[]): boolean {
  const asked = paths.map((asked) => asked.replaceAll('\\', '/').replace(/^\.\/|\/$/g, ''))
  return asked.length === 0 || asked.some((start) => path === start || path.startsWith(`${start}/`))
}

function painter(line: string, { added, removed, grey, bold }: Colors): (text: string) => string {
  if (line.startsWith('---') || line.startsWith('+++')) return bold
  if (line.startsWith('+')) return added
  if (line.startsWith('-')) return removed
  return line.startsWith('@@') ? grey : (text) => text
}
