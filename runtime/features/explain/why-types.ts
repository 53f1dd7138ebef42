import type { Access, Entity, Row } from '../../model/entity.js'
import type { Tree } from './tree.js'

/** The user of the request, as policies know them; null: a guest. */
export type Asker = Row | null

/** `command`: everything is shown. `asker`: nothing that this user may not see. */
export type Audience = 'command' | 'asker'

export interface Question {
  readonly entity: Entity
  readonly user: Asker
  readonly operation: string
  /** The record's id, as a path has it; null: it is new. */
  readonly id: string | null
  /** The body; absent: the question is not about one. */
  readonly body?: Row
  /** PUT, which replaces; else PATCH. */
  readonly isWhole?: boolean
  readonly field?: string
  /** Finds the record where the request's parameters change that. */
  readonly finding?: (access: Access) => Access
  readonly audience: Audience
}

/** The answer of one rule. */
export interface Step {
  /** `show`, `canSee.notes`, `a token`. */
  readonly rule: string
  /** The file of the rule; null: it is in no policy. */
  readonly file: string | null
  /** The line of the rule, or of the answer it gave; absent: svc did not say. */
  readonly line?: number
  /** The code of a test that answers yes or no, where nothing of the user decided. */
  readonly code?: string
  /** The row that the rule is about: as it is, or as the write would leave it. */
  readonly of: 'the record' | 'the record as it would be' | 'the new record' | 'any record'
  readonly answer: 'yes' | 'no'
  /** The user's fields that decided what the rule answers, whatever the record. */
  readonly decidedBy: readonly string[]
  readonly tree: Tree
}

export interface Why {
  readonly operation: string
  readonly repository: string
  readonly id: string | null
  readonly user: { readonly id: string; readonly name: string } | null
  readonly answer: 'yes' | 'no'
  /** The status of the request that does it. */
  readonly status: number
  /** The whole of it. */
  readonly sentence: string
  /** Null: of a new record, or of none. */
  readonly isThere: boolean | null
  readonly steps: readonly Step[]
  readonly notes: readonly string[]
}

/** A question that has no answer: what it names is not there. */
export class Unanswerable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Unanswerable'
  }
}
