import { formatProblems } from './problems.js'
import { Refusal } from './refusal.js'
import type { Problem } from './types.js'

/** Mistakes of the developer that are found on the way, in a file other than the manifest. */
export class ProblemsError extends Refusal {
  constructor(readonly problems: readonly Problem[]) {
    super(formatProblems(problems))
  }
}
