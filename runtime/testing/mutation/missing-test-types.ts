import type { Entity, Row } from '../../model/entity.js'

/** The test that would kill a mutant, if there is one. */
export type MissingTest =
  | { readonly kind: 'nothing' }
  /** No request that was tried tells them apart; `request`: of which kind it would be. */
  | { readonly kind: 'unknown'; readonly request: string }
  | {
      readonly kind: 'request'
      readonly as: string
      readonly request: string
      readonly test: TestText
    }

/** A test that passes, and fails where the policy is weaker: both were tried. */
export interface TestText {
  readonly name: string
  readonly lines: readonly string[]
  /** Functions it needs besides `expect`: `makeOrder`, `signInAs`, `sendAsNobody`, `db`. */
  readonly uses: readonly string[]
}

/** The user of the request. */
export interface Asker {
  readonly role: string
  readonly user: Row | null
  /**
   * The value that every role of tests/roles.ts has and this user lacks; null: the user is one of
   * them.
   */
  readonly without: string | null
}

export type Rule = 'show' | 'store' | 'update' | 'updateTo' | 'delete'

/** A rule, asked for somebody. */
export interface About {
  readonly entity: Entity
  readonly asker: Asker
  readonly rule: Rule
}
