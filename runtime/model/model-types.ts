/**
 * What policies and hooks may speak of, as types only. A model names a row, the relations of that
 * row and its computed entries; `app/Models.ts` has one per repository.
 */

export type { Later } from '../later.js'

/** The least a model tells. Every `*Model` of `app/Models.ts` has this shape. */
export interface AnyModel {
  readonly row: object
  readonly relations: object
  /** `PerRecord` or `PerPage` of each computed entry. */
  readonly computed: object
}

/**
 * A relation, as far as conditions know it: `tests` says what they may test of it, with
 * `this['nothing']` for what stands for null there.
 */
export interface TestedRelation {
  readonly nothing: unknown
  readonly tests: unknown
}

/** Hooks of a model, to code that knows no user: they were checked where they stand. */
export interface HooksOf<Model> {
  /** Keeps hooks of one model from being used for another; never set. */
  readonly model?: Model
}
