/** Relations as models name them, with what conditions test of them; as types only. */

import type { AnyModel, TestedRelation } from '../../model/model-types.js'
import type {
  AtLeastOne,
  ColumnTests,
  Combined,
  Condition,
  Tests,
} from '../../policy/condition-types.js'

/** A relation with at most one related record. */
export interface One<Model extends AnyModel> extends TestedRelation {
  readonly model: Model
  readonly tests: ToOneTests<Model, this['nothing']>
}

/** A relation with any number of related records. */
export interface Many<Model extends AnyModel> extends TestedRelation {
  readonly model: Model
  readonly tests: ToManyTests<Model, this['nothing']>
}

/** A relation through a pivot table, with its row. */
export interface ManyToMany<Model extends AnyModel, Pivot> extends TestedRelation {
  readonly model: Model
  readonly pivot: Pivot
  readonly tests: ThroughPivotTests<Model, Pivot, this['nothing']>
}

/** A condition on a related record; true: any record. */
type TrueOrCondition<Model extends AnyModel, Nothing> =
  | true
  | Condition<Model, Nothing>
  | Condition<Model>
  | undefined

type TrueOrPivotCondition<Model extends AnyModel, Pivot, Nothing> =
  | true
  | Combined<Model, Nothing>
  | AtLeastOne<
      Tests<Model, Nothing> & {
        readonly pivot?: AtLeastOne<ColumnTests<Pivot, Nothing>> | undefined
      }
    >
  | undefined

/** `isNot: true` holds for a record without one. */
interface ToOneTests<Model extends AnyModel, Nothing> {
  readonly is?: TrueOrCondition<Model, Nothing>
  readonly isNot?: TrueOrCondition<Model, Nothing>
}

/** `every` holds for a record without any. */
interface ToManyTests<Model extends AnyModel, Nothing> {
  readonly some?: TrueOrCondition<Model, Nothing>
  readonly none?: TrueOrCondition<Model, Nothing>
  readonly every?: TrueOrCondition<Model, Nothing>
}

interface ThroughPivotTests<Model extends AnyModel, Pivot, Nothing> {
  readonly some?: TrueOrPivotCondition<Model, Pivot, Nothing>
  readonly none?: TrueOrPivotCondition<Model, Pivot, Nothing>
  readonly every?: TrueOrPivotCondition<Model, Pivot, Nothing>
}
