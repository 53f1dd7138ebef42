import type { Known } from './known.js'
import type { Mutant } from './mutant.js'

export interface Tried {
  readonly mutant: Mutant
  readonly known: Known
}

export interface MutationResult {
  /** The number of mutants that tests killed. */
  readonly killed: number
  /** No request can tell these mutants from the policy itself. */
  readonly equivalent: readonly Tried[]
  readonly survived: readonly Tried[]
  readonly untried: number
}

export function mutationResult(
  mutants: readonly Mutant[],
  known: ReadonlyMap<string, Known>,
): MutationResult {
  const tried = mutants.flatMap((mutant): readonly Tried[] => {
    const found = known.get(mutant.id)
    return found === undefined ? [] : [{ mutant, known: found }]
  })
  const alive = tried.filter(({ known: result }) => 'missingTest' in result)
  const isEquivalent = ({ known: result }: Tried) =>
    'missingTest' in result && result.missingTest.kind === 'nothing'
  return {
    killed: tried.length - alive.length,
    equivalent: alive.filter(isEquivalent),
    survived: alive.filter((mutant) => !isEquivalent(mutant)),
    untried: mutants.length - tried.length,
  }
}

/** Prints the result for people. */
export function mutationLines(found: MutationResult, isVerbose: boolean): readonly string[] {
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

function linesOf({ mutant, known }: Tried): readonly string[] {
  const { file, line, column } = mutant
  const title = `${file}:${line}:${column}  ${mutantText(mutant)}`
  if (!('missingTest' in known)) return [title]
  const { missingTest } = known
  if (missingTest.kind === 'nothing') return [title, '  makes no difference to any request']
  if (missingTest.kind === 'unknown') {
    const tried = missingTest.request === '' ? 'no request was found' : missingTest.request
    return [title, `  svc knows no test that kills it: ${tried}. Try it in a test of your own.`]
  }
  return [title, `  as ${missingTest.as}: ${missingTest.request}`]
}

export function mutantText({ kind, rule, was, became }: Mutant): string {
  if (kind === 'true') return `${rule} that answers true`
  if (kind === 'gate') return `${rule} that is open`
  if (kind === 'dropped') return `${rule} without ${was}`
  return `${rule} with ${became}`
}
