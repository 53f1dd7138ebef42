/** A condition means something else than it says: the request fails, and the log says why. */
export class PolicyMistake extends TypeError {
  /** @param file Which says it: mostly that of a policy. */
  constructor(file: string, text: string) {
    super(`${file}: ${text}`)
    this.name = 'PolicyMistake'
  }
}

/** Returns the path of a repository's policy. */
export const policyFile = ({ name }: { readonly name: string }): string =>
  `app/Policies/${name}Policy.ts`

/** It compares a column with a value that no row can have there: 0.001 with two digits after the point. */
export class ValueMistake extends PolicyMistake {}

/** Says what to write instead of a test that tests nothing. */
export const untestedColumn = (name: string): string =>
  `{ ${name}: { isNull: false } } for any value`
