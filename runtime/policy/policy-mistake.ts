import type { Link } from '../model/entity.js'

/**
 * A policy whose condition means something else than it says: the request fails, and the log tells
 * why.
 */
export class PolicyMistake extends TypeError {
  /** `text` goes on after `a condition on 'posts' …`. */
  constructor(repository: { readonly name: string; readonly key: string }, text: string) {
    super(`app/Policies/${repository.name}Policy.ts: a condition on '${repository.key}' ${text}`)
    this.name = 'PolicyMistake'
  }
}

/** What a test is about that tests nothing, and what to write. */
export interface Untested {
  readonly what: string
  readonly write: () => string
}

export const untestedColumn = (what: string): Untested => ({
  what,
  write: () => `{ ${what}: { not: null } } for any value`,
})

export const untestedPivot: Untested = {
  what: 'pivot',
  write: () => 'a column of it, or leave pivot out',
}

/** `test`: `some`, `none`, `every`, `is` or `isNot`; null: none of them is there. */
export const untestedRelation = ({ key, toOne }: Link, test: string | null): Untested => ({
  what: test === null ? key : `${key} ${test}`,
  write: () => `{ ${key}: { ${test ?? (toOne ? 'is' : 'some')}: true } } for any related record`,
})
