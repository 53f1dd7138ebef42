import type { Entity, Row } from '../../model/entity.js'

/** What would tell a policy from one that is weaker. */
export type Telling =
  | { readonly kind: 'nothing' }
  /** It cannot be said by the database. */
  | { readonly kind: 'unknown'; readonly request: string }
  | {
      readonly kind: 'request'
      readonly as: string
      readonly request: string
      /** To paste, and the file. */
      readonly line: string
      readonly file: string
    }

/** Who asks. */
export interface Asker {
  readonly role: string
  readonly user: Row | null
  /** What no role of tests/roles.ts is without; null: it is one of them. */
  readonly without: string | null
}

export type Rule = 'show' | 'store' | 'update' | 'updateTo' | 'delete'

/** A rule, asked for somebody. */
export interface About {
  readonly entity: Entity
  readonly asker: Asker
  readonly rule: Rule
}
