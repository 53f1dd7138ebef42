import { planChanges, type Plan, type PlanOptions, type Rendered } from '../plan/status.js'
import { parses } from '../plan/syntax.js'
import { changesOf, type Change } from './changes.js'
import { readLock } from './lock-file.js'
import { Refusal } from './refusal.js'
import { readSnapshot } from './snapshot.js'
import { isInterrupted } from './take-back.js'
import type { Target } from './target.js'

/** A plan for one project, and all it would change on the disk. */
export interface Prepared {
  readonly plan: Plan
  readonly changes: readonly Change[]
  /** True when the project was generated before and what svc wrote then is not known any more. */
  readonly hasLostBase: boolean
}

export interface PrepareOptions extends Omit<PlanOptions, 'parses'> {
  /** Version of this svc. */
  readonly version: string
}

/** Reads the project and plans; writes nothing. */
export async function prepare(
  target: Target,
  rendered: readonly Rendered[],
  { version, ...options }: PrepareOptions,
): Promise<Prepared> {
  if (isInterrupted(target)) throw new Refusal(interrupted)
  const lock = readLock(target, version)
  const snapshot = readSnapshot(
    target,
    rendered.map(({ path }) => path),
  )
  const plan = await planChanges(rendered, snapshot, { ...options, parses })
  const next = { svc: version, renames: lock?.renames ?? [] }
  const hasLostBase = lock !== null && snapshot.base.size === 0
  return { plan, changes: changesOf(target, plan, snapshot, next), hasLostBase }
}

const interrupted =
  'A run of svc was interrupted here. `svc undo` restores the project as it was before; ' +
  '`svc generate` does the same and then goes on.'
