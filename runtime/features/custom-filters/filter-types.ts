/** Types of one repository's filters. */

import type { AnyModel, Later } from '../../model/model-types.js'
import type { AskingUser, Condition } from '../../policy/condition-types.js'
import type { ColumnReference, SqlCondition } from '../../policy/condition.js'

/** By name, what requests send; `sort` are the names of sorters. `app/Models.ts` has one per repository. */
export interface FilterValues {
  readonly match: object
  readonly sort: string
  readonly filters: object
}

/** The user of the request. */
interface Asking<User> {
  readonly user: User | null
}

/** Rows that a value finds: all, none, or those of a condition. Or it throws `badRequest`. */
type FilterAnswer<Model extends AnyModel, Value, User> = <Nothing extends null>(
  value: Value,
  asking: Asking<AskingUser<User, Nothing>>,
) => Later<boolean | Condition<Model, Nothing> | Condition<Model>>

type FilterAnswers<Model extends AnyModel, Values, User> = {
  readonly [Name in keyof Values]: FilterAnswer<Model, Values[Name], User>
}

/** `self('stock')`, or SQL that is compared; null: this user may not sort by it. */
type SorterAnswer<Model extends AnyModel, User> = (
  asking: Asking<User>,
) => Later<ColumnReference<keyof Model['row'] & string> | SqlCondition<Model> | null>

/** A part that the manifest says nothing of is not there. */
type Part<Name extends string, Keys extends PropertyKey, Answers> = [Keys] extends [never]
  ? { readonly [Each in Name]?: never }
  : { readonly [Each in Name]: Answers }

/**
 * Answers every matcher, sorter and filter of the manifest, and nothing else. What they answer joins
 * the policy: a row that the user may not see is not found, whatever it says. Related records that
 * they may not see are not there for it, and a column that `canSee` of a policy keeps from them is
 * unknown.
 */
export type Filters<Model extends AnyModel, Values extends FilterValues, User> = Part<
  'match',
  keyof Values['match'],
  FilterAnswers<Model, Values['match'], User>
> &
  Part<'sort', Values['sort'], { readonly [Name in Values['sort']]: SorterAnswer<Model, User> }> &
  Part<'filters', keyof Values['filters'], FilterAnswers<Model, Values['filters'], User>> & {
    /** One that answers false is unknown to this user. */
    readonly canSee?: {
      readonly [Name in keyof Values['match'] | Values['sort'] | keyof Values['filters']]?: (
        user: User | null,
      ) => boolean
    }
  }
