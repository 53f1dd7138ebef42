/** Types of the answers of policies. */

import type { Inherited } from '../model/inherited.js'
import type { AnyModel, Later } from '../model/model-types.js'
import type { AskingUser, Condition } from './condition-types.js'

export type { Combined, Condition } from './condition-types.js'
export type { AnyModel } from '../model/model-types.js'

/** All rows, none, or those that a condition admits. */
type RowCondition<Model extends AnyModel, Nothing> = Later<
  boolean | Condition<Model, Nothing> | Condition<Model>
>

type RowRule<Model extends AnyModel, User> = <Nothing extends null>(
  user: AskingUser<User, Nothing> | null,
) => RowCondition<Model, Nothing>

type Gate<User, Keys extends PropertyKey> = {
  readonly [Key in Keys]?: ((user: User | null) => boolean) | Inherited<Key>
}

/** Decides about a field at once: for every row, for none, or for those a condition admits. */
type RowGate<Model extends AnyModel, User> = {
  readonly [Key in keyof Model['row']]?: RowGateRule<Model, User> | Inherited<Key>
}

type RowGateRule<Model extends AnyModel, User> = <Nothing extends null>(
  user: AskingUser<User, Nothing> | null,
) => boolean | Condition<Model, Nothing> | Condition<Model>

/** Denies by default: a method left out does not compile, and denies at run time. */
export interface Policy<Model extends AnyModel, User, Rule = RowRule<Model, User>> {
  /** Rows that exist for this user: the filter of every list, include, search and write. */
  readonly show: Rule
  /** Rows that this user may create: a condition is tested on the row that would be stored. */
  readonly store: Rule
  /**
   * Which rows this user may change, and into what: it holds for the row before and for the row
   * after. Part of the WHERE of the write.
   */
  readonly update: Rule
  /** Rows that an update may result in, where that differs from `update`. */
  readonly updateTo?: Rule
  readonly delete: Rule
  /**
   * A field or related entry that answers false is not shown, sorted, searched nor filtered by. A
   * field may answer a condition: in other rows it is null, and no filter, sort or search reads it.
   * @example canSee: { email: (user) => ({ id: user?.id }) }
   */
  readonly canSee?: Gate<User, keyof Model['relations'] | keyof Model['computed']> &
    RowGate<Model, User>
  /** A field that answers false is ignored in the body. */
  readonly canStore?: Gate<User, keyof Model['row']>
  /**
   * A field that answers false is ignored in the body; so is one that answers a condition, where the
   * record does not satisfy that before the write.
   */
  readonly canUpdate?: RowGate<Model, User>
}

/** A policy of a model, to code that knows no user: its rules were checked where they stand. */
export type PolicyOf<Model extends AnyModel> = Policy<Model, never, (user: never) => unknown>
