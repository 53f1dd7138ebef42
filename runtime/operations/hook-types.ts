/** Types of hooks. */

import type { Inherited, Values } from '../model/inherited.js'
import type { AnyModel, HooksOf, Later } from '../model/model-types.js'

/** A computed entry that is answered for one record at a time. */
export interface PerRecord<Answer> {
  readonly per: 'record'
  readonly answer: Answer
}

/** A computed entry that is answered for a whole page at once. */
export interface PerPage<Answer> {
  readonly per: 'page'
  readonly answer: Answer
}

/** One function, or an object with one `__invoke`. */
export type Invokable<Run> = Run | { readonly __invoke: Run }

/** The user of the request. */
export interface HookContext<User> {
  readonly user: User | null
}

/** The answer type of the manifest; null where a record has no such value. */
type ComputedHook<Entry, Row, Context> =
  Entry extends PerPage<infer Answer>
    ? Invokable<(context: Context, rows: readonly Row[]) => Later<readonly (Answer | null)[]>>
    : Entry extends PerRecord<infer Answer>
      ? Invokable<(context: Context, row: Row) => Later<Answer | null>>
      : never

type ComputedHooks<Model extends AnyModel, Context> = {
  readonly [Key in keyof Model['computed']]: ComputedHook<
    Model['computed'][Key],
    Model['row'],
    Context
  >
}

type Fill<Model extends AnyModel, Context> = {
  readonly [Column in keyof Model['row']]?:
    | ((context: Context, values: Values<Model['row']>) => Later<Model['row'][Column] | undefined>)
    | Inherited<Column>
}

/** By field, what is wrong with it: `must be …` goes on after `The ends at`, a sentence stands alone. */
type FoundErrors<Row> = {
  readonly [Column in keyof Row]?: readonly string[] | Inherited<Column>
}

/**
 * First `validate`, then `fill`, then the before-hook: it gets what is filled too, may throw, and what it returns is
 * merged over that. The after-hook runs once the write is committed: if it throws, that is logged,
 * and the write is answered as done.
 */
export interface BaseHooks<
  Model extends AnyModel,
  User,
  Context = HookContext<User>,
> extends HooksOf<Model> {
  /**
   * Columns the server writes itself, at every write. A body need not name them, and one that does
   * is 422; a field that is `.readonly()` in the manifest is ignored there instead. `values` are
   * those of this write, so on update only what it changes; `undefined` leaves the column alone.
   */
  readonly fill?: Fill<Model, Context>
  /**
   * Columns the server writes when a record is created; afterwards they are written like any other.
   */
  readonly fillOnStore?: Fill<Model, Context>
  /**
   * What is wrong with fields together, asked once each of them passed its own rule: what it answers
   * is a 422 with all of it. `values` are the record as it would be, before `fill`; of an update,
   * what it changes over `before`, the row as it is. `before` is null where the record is new.
   * @example validate: (_, { starts_at, ends_at }) => starts_at && ends_at && ends_at < starts_at ? { ends_at: ['must be after starts at'] } : {}
   */
  readonly validate?: (
    context: Context,
    values: Values<Model['row']>,
    before: Model['row'] | null,
  ) => Later<FoundErrors<Model['row']> | null | undefined | void>
  readonly beforeStore?: (
    context: Context,
    values: Values<Model['row']>,
  ) => Later<Values<Model['row']> | void>
  readonly afterStore?: (context: Context, row: Model['row']) => Later<void>
  readonly beforeUpdate?: (
    context: Context,
    row: Model['row'],
    values: Values<Model['row']>,
  ) => Later<Values<Model['row']> | void>
  readonly afterUpdate?: (context: Context, row: Model['row']) => Later<void>
  readonly beforeDelete?: (context: Context, row: Model['row']) => Later<void>
  readonly afterDelete?: (context: Context, row: Model['row']) => Later<void>
}

/** `computed` must answer every computed entry of the manifest; the rest is optional. */
export type Hooks<Model extends AnyModel, User, Context = HookContext<User>> = BaseHooks<
  Model,
  User,
  Context
> &
  (keyof Model['computed'] extends never
    ? { readonly computed?: Record<never, never> }
    : { readonly computed: ComputedHooks<Model, Context> })
