import { channel } from 'node:diagnostics_channel'
import type { Access, Entity } from '../model/entity.js'

/** A hook that failed when its write was committed already. */
export interface FailedHook {
  /** URI key of the repository. */
  readonly repository: string
  readonly hook: string
  readonly error: unknown
}

const failures = channel('svckit:failed-hook')

/** Called with each hook that fails after its write: the server logs it, and may count it. */
export const onFailedHook = (listener: (failed: FailedHook) => void): void =>
  failures.subscribe((failed) => listener(failed as FailedHook))

/** Makes the context of hooks: the user, and what extensions add. */
export function contextOf(access: Access): { readonly user: unknown } {
  const context = { user: access.request.user }
  for (const extension of access.extensions) Object.assign(context, extension.context?.(access))
  return context
}

/**
 * Runs a hook once its write is committed; inside a transaction around it, once that is. The write
 * is done whatever the hook does, so what it throws is told and is no answer: a client that was
 * told of a failure would write again.
 */
export async function afterwards(entity: Entity, hook: string, work: () => unknown): Promise<void> {
  const run = async () => {
    try {
      await work()
    } catch (error) {
      tell({ repository: entity.key, hook, error })
    }
  }
  const { committed } = entity.database
  await (committed === undefined ? run() : committed(run))
}

function tell(failed: FailedHook): void {
  if (failures.hasSubscribers) failures.publish(failed)
  else process.emitWarning(`${failed.hook} of ${failed.repository} failed: ${String(failed.error)}`)
}
