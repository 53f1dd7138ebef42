/** What hooks answer, as types only. */

import type { Inherited, Values } from '../model/inherited.js'
import type { AnyModel, Invokable, Later, PerPage, PerRecord } from '../model/model-types.js'
import type { ManyToManyKey, PivotValues, RelatedId, RelatedRow } from '../policy/policy-types.js'
import type { Repository } from './repository-type.js'

/** Who asks. */
export interface HookContext<User> {
  readonly user: User | null
}

/** An attach or detach: who asks, and for what. The rows are those the policy agreed to. */
export interface PivotRequest<Relation, User> extends HookContext<User> {
  readonly relation: string
  readonly ids: readonly RelatedId<Relation>[]
  /** In the order of `ids`. */
  readonly related: readonly RelatedRow<Relation>[]
  /** Pivot fields of the body that passed their rules; none on detach. */
  readonly values: PivotValues<Relation>
}

type PivotCallbacks<Model extends AnyModel, User> = {
  readonly [Key in ManyToManyKey<Model['relations']>]?:
    | Invokable<
        (
          request: PivotRequest<Model['relations'][Key], User>,
          repository: Repository<Model['row']>,
          row: Model['row'],
        ) => unknown
      >
    | Inherited<Key>
}

/** What the manifest says it answers; null where there is nothing to say of a record. */
type ComputedHook<Entry, Row, User> =
  Entry extends PerPage<infer Answer>
    ? Invokable<
        (context: HookContext<User>, rows: readonly Row[]) => Later<readonly (Answer | null)[]>
      >
    : Entry extends PerRecord<infer Answer>
      ? Invokable<(context: HookContext<User>, row: Row) => Later<Answer | null>>
      : never

type ComputedHooks<Model extends AnyModel, User> = {
  readonly [Key in keyof Model['computed']]: ComputedHook<
    Model['computed'][Key],
    Model['row'],
    User
  >
}

type Fill<Model extends AnyModel, User> = {
  readonly [Column in keyof Model['row']]?:
    | ((
        context: HookContext<User>,
        values: Values<Model['row']>,
      ) => Later<Model['row'][Column] | undefined>)
    | Inherited<Column>
}

/**
 * Before-hooks run before the write and may change values or throw: what they return is merged over
 * the values they were given. After-hooks run once it is committed.
 */
export interface BaseHooks<Model extends AnyModel, User> {
  /**
   * Columns the server writes itself, at every write. A body need not name them, and one that does
   * is 422; a field that is `.readonly()` in the manifest is ignored there instead. `values` are
   * those of this write, so on update only what it changes; `undefined` leaves the column alone.
   */
  readonly fill?: Fill<Model, User>
  /** The same when a record is made; afterwards the column is written like any other. */
  readonly fillOnStore?: Fill<Model, User>
  readonly beforeStore?: (
    context: HookContext<User>,
    values: Values<Model['row']>,
  ) => Later<Values<Model['row']> | void>
  readonly afterStore?: (context: HookContext<User>, row: Model['row']) => Later<void>
  readonly beforeUpdate?: (
    context: HookContext<User>,
    row: Model['row'],
    values: Values<Model['row']>,
  ) => Later<Values<Model['row']> | void>
  readonly afterUpdate?: (context: HookContext<User>, row: Model['row']) => Later<void>
  readonly beforeDelete?: (context: HookContext<User>, row: Model['row']) => Later<void>
  readonly afterDelete?: (context: HookContext<User>, row: Model['row']) => Later<void>
  /**
   * Done instead of attaching, once the policy and the rules agreed. What it returns is the answer
   * (200); nothing: 200 without a body.
   */
  readonly attachCallback?: PivotCallbacks<Model, User>
  /** The same instead of detaching. */
  readonly detachCallback?: PivotCallbacks<Model, User>
}

/** `computed` must answer every computed entry of the manifest; the rest is optional. */
export type Hooks<Model extends AnyModel, User> = BaseHooks<Model, User> &
  (keyof Model['computed'] extends never
    ? { readonly computed?: Record<never, never> }
    : { readonly computed: ComputedHooks<Model, User> })
