/** Types of policies and hooks for many records at once. */

import type { AnyModel, Later } from '../../model/model-types.js'
import type { HookContext } from '../../operations/hook-types.js'

/**
 * Of repositories that take many records at once.
 * @typeParam Many Their models.
 */
export type BulkPolicy<Model extends AnyModel, User, Many> = Model extends Many
  ? {
      /** Who may write many records in one request, each of which the other methods admit; absent: everybody. */
      readonly bulk?: (user: User | null) => boolean | Promise<boolean>
    }
  : unknown

/** After the hooks of each record. */
export interface BulkHooks<Model extends AnyModel, User, Context = HookContext<User>> {
  /** Once for a request, when all is committed; what was deleted is as it was. */
  readonly afterBulk?: (
    context: Context,
    rows: readonly Model['row'][],
    operation: 'store' | 'update' | 'delete',
  ) => Later<void>
}
