/** A condition means something else than it says: the request fails, and the log says why. */
export class PolicyMistake extends TypeError {
  /** `text` goes on after `a condition on 'posts' …`. */
  constructor(repository: { readonly name: string; readonly key: string }, text: string) {
    super(`app/Policies/${repository.name}Policy.ts: a condition on '${repository.key}' ${text}`)
    this.name = 'PolicyMistake'
  }
}

/** It compares a column with a value that no row can have there: 0.001 with two digits after the point. */
export class ValueMistake extends PolicyMistake {}

/** What to write instead of a test of a column that tests nothing. */
export const untestedColumn = (name: string): string =>
  `{ ${name}: { isNull: false } } for any value`
