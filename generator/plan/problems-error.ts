import type { Problem } from '../blueprint/types.js'

/** Mistakes of the developer that are found on the way, in a file other than the manifest. */
export class ProblemsError extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ file, line, message }) => `${file}:${line}  ${message}`).join('\n'))
    this.name = 'ProblemsError'
  }
}
