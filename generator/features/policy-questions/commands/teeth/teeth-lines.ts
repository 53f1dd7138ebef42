import type { Known } from './known.js'
import type { Weakening } from './weakening.js'

export interface Tried {
  readonly weakening: Weakening
  readonly known: Known
}

export interface TeethFound {
  /** How many mutants a test noticed. */
  readonly killed: number
  /** No request can tell these mutants from the policy itself. */
  readonly equivalent: readonly Tried[]
  readonly survived: readonly Tried[]
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
  const alive = tried.filter(({ known: result }) => 'telling' in result)
  const isEquivalent = ({ known: result }: Tried) =>
    'telling' in result && result.telling.kind === 'nothing'
  return {
    killed: tried.length - alive.length,
    equivalent: alive.filter(isEquivalent),
    survived: alive.filter((mutant) => !isEquivalent(mutant)),
    untried: weakenings.length - tried.length,
  }
}

/** Prints the result for people. */
export function teethLines(found: TeethFound, isVerbose: boolean): readonly string[] {
  const { killed, equivalent, survived, untried } = found
  const all = killed + equivalent.length + survived.length + untried
  const summary = [
    `${killed} of ${all} mutants were killed`,
    ...(equivalent.length === 0 ? [] : [`${equivalent.length} make no difference to any request`]),
    ...(untried === 0 ? [] : [`${untried} were not tried in time (run it again to continue)`]),
    survived.length === 0 ? 'none survived' : `${survived.length} survived`,
  ]
  const others = isVerbose ? equivalent.flatMap((each) => ['', ...linesOf(each)]) : []
  return [
    `${summary.join(', ')}.`,
    ...survived.flatMap((each) => ['', ...linesOf(each)]),
    ...others,
  ]
}

function linesOf({ weakening, known }: Tried): readonly string[] {
  const { file, line, column } = weakening
  const title = `${file}:${line}:${column}  ${weakeningWords(weakening)}`
  if (!('telling' in known)) return [title]
  const { telling } = known
  if (telling.kind === 'nothing') return [title, '  makes no difference to any request']
  if (telling.kind === 'unknown') {
    const tried = telling.request === '' ? 'no request was found' : telling.request
    return [title, `  svc knows no test that kills it: ${tried}. Try it in a test of your own.`]
  }
  return [title, `  as ${telling.as}: ${telling.request}`]
}

export function weakeningWords({ kind, rule, was, became }: Weakening): string {
  if (kind === 'true') return `${rule} that answers true`
  if (kind === 'gate') return `${rule} that is open`
  if (kind === 'dropped') return `${rule} without ${was}`
  return `${rule} with ${became}`
}
