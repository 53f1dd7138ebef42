/** A policy made weaker in one place, in memory: no file is changed. */

export type MutantKind = 'true' | 'gate' | 'dropped' | 'negated' | 'any' | 'undefined'

export interface Mutant {
  /** Stays the same while the rule's text does: `app/Policies/PostPolicy.ts show 3`. */
  readonly id: string
  readonly file: string
  readonly line: number
  readonly column: number
  /** `show`, `canSee.notes`, or the function that policies share. */
  readonly rule: string
  readonly kind: MutantKind
  /** For people: what stands there, and what it became. */
  readonly was: string
  readonly became: string
}

export interface MutatedPolicies {
  readonly mutants: readonly Mutant[]
  /** By path: the file with every mutant in it, each behind a question whether it is on. */
  readonly texts: ReadonlyMap<string, string>
}
