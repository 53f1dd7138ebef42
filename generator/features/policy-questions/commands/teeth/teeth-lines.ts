import type { Known } from './known.js'
import type { Weakening } from './weakening.js'

export interface Tried {
  readonly weakening: Weakening
  readonly known: Known
}

export interface TeethFound {
  readonly noticed: number
  /** No request tells them from what stands there. */
  readonly equal: readonly Tried[]
  readonly unnoticed: readonly Tried[]
  readonly untried: number
}

export function teethFound(
  weakenings: readonly Weakening[],
  known: ReadonlyMap<string, Known>,
): TeethFound {
  const tried = weakenings.flatMap((weakening): readonly Tried[] => {
    const found = known.get(weakening.id)
    return found === undefined ? [] : [{ weakening, known: found }]
  })
  const survived = tried.filter(({ known: each }) => 'telling' in each)
  const isEqual = ({ known: each }: Tried) => 'telling' in each && each.telling.kind === 'nothing'
  return {
    noticed: tried.length - survived.length,
    equal: survived.filter(isEqual),
    unnoticed: survived.filter((each) => !isEqual(each)),
    untried: weakenings.length - tried.length,
  }
}

/** For people. */
export function teethLines(found: TeethFound, isVerbose: boolean): readonly string[] {
  const { noticed, equal, unnoticed, untried } = found
  const all = noticed + equal.length + unnoticed.length + untried
  const said = [
    `${noticed} of ${all} weakenings are noticed`,
    ...(equal.length === 0 ? [] : [`${equal.length} make no difference to any request`]),
    ...(untried === 0 ? [] : [`${untried} were not tried in time: run it again, it goes on`]),
    unnoticed.length === 0 ? 'none goes unnoticed' : `${unnoticed.length} go unnoticed`,
  ]
  const others = isVerbose ? equal.flatMap((each) => ['', ...linesOf(each)]) : []
  return [`${said.join(', ')}.`, ...unnoticed.flatMap((each) => ['', ...linesOf(each)]), ...others]
}

function linesOf({ weakening, known }: Tried): readonly string[] {
  const { file, line, column } = weakening
  const title = `${file}:${line}:${column}  ${weakeningWords(weakening)}`
  if (!('telling' in known)) return [title]
  const { telling } = known
  if (telling.kind === 'nothing') return [title, '  makes no difference to any request']
  if (telling.kind === 'unknown') {
    const tried = telling.request === '' ? 'no request was found' : telling.request
    return [title, `  svc knows no test that tells it: ${tried}. Try it in a test of yours.`]
  }
  return [title, `  as ${telling.as}: ${telling.request}`]
}

export function weakeningWords({ kind, rule, was, became }: Weakening): string {
  if (kind === 'true') return `${rule} that answers true`
  if (kind === 'gate') return `${rule} that is open`
  if (kind === 'dropped') return `${rule} without ${was}`
  return `${rule} with ${became}`
}
