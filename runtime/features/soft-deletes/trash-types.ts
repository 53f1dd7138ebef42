/** Types of policies and hooks for the trash. */

import type { AnyModel, Later } from '../../model/model-types.js'
import type { HookContext } from '../../operations/hook-types.js'
import type { Policy } from '../../policy/policy-types.js'

/**
 * Of repositories that delete softly: methods of their policies.
 * @typeParam Soft Their models.
 */
export type TrashPolicy<Model extends AnyModel, User, Soft> = Model extends Soft
  ? {
      /** Which records of the trash a user may bring back: true, false, or a condition on the row. */
      readonly restore: Policy<Model, User>['delete']
      /** Which records a user may delete for good, in the trash or not. */
      readonly forceDelete: Policy<Model, User>['delete']
    }
  : unknown

/** Around bringing back, and deleting for good; `beforeDelete` and `afterDelete` run when a record goes into the trash. */
export interface TrashHooks<Model extends AnyModel, User, Context = HookContext<User>> {
  readonly beforeRestore?: (context: Context, row: Model['row']) => Later<void>
  /** The row is as it is now. */
  readonly afterRestore?: (context: Context, row: Model['row']) => Later<void>
  readonly beforeForceDelete?: (context: Context, row: Model['row']) => Later<void>
  /** The row is gone. */
  readonly afterForceDelete?: (context: Context, row: Model['row']) => Later<void>
}

/**
 * Run in the transaction, too, where the manifest says `hooks: 'inside'`. `insideDelete` runs when a record
 * goes into the trash, and when one that is not there is deleted for good.
 * @typeParam Soft The models of such repositories.
 */
export type InsideTrashHooks<Model extends AnyModel, Context, Soft> = Model extends Soft
  ? {
      /** The row is as it is now. */
      readonly insideRestore?: (context: Context, row: Model['row']) => Later<void>
      /** The row is gone, and as it was: the column of the trash is null where it was not there. */
      readonly insideForceDelete?: (context: Context, row: Model['row']) => Later<void>
    }
  : unknown
