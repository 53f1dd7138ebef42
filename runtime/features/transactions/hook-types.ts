import type { AnyModel, Later } from '../../model/model-types.js'
import type { HookContext } from '../../operations/hook-types.js'
import type { InsideOf } from './inside-hooks.js'
import type { RequestOfHook } from './request.js'

/** The user, and the request. */
export interface RequestContext<User> extends HookContext<User>, RequestOfHook {}

/** The context inside the transaction: `db` and `repositories` are part of it. */
export type InsideContext<User, Repositories, Db> = RequestContext<User> &
  InsideOf<Repositories, Db>

/**
 * Run after the statement, in its transaction: what they throw rolls all back, and an `HttpError`
 * is the answer. Use `context.db` and `context.repositories`; `db`, `prisma` and other repositories
 * are refused. On SQLite nobody else writes meanwhile, and PostgreSQL runs them again after a
 * deadlock, so do nothing outside the database here: that is for after-hooks.
 */
export interface InsideHooks<Model extends AnyModel, Context> {
  readonly insideStore?: (context: Context, row: Model['row']) => Later<void>
  /** `before` is the row as it was. */
  readonly insideUpdate?: (context: Context, row: Model['row'], before: Model['row']) => Later<void>
  /** The row is gone, or in the trash. */
  readonly insideDelete?: (context: Context, row: Model['row']) => Later<void>
}
