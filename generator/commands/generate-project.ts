import type { Blueprint, Problem } from '../blueprint/types.js'
import type { PlanOptions } from '../plan/status.js'
import { ownVersion } from '../plan/package-files.js'
import { apply } from '../write/apply.js'
import { prepare, type Prepared } from '../write/prepare.js'
import { alone } from '../write/run-lock.js'
import { repair, type Taken } from '../write/take-back.js'
import { targetAt, type Target } from '../write/target.js'
import { readBlueprint, renderFiles } from './project.js'

export interface GenerateOptions extends Omit<PlanOptions, 'parses'> {
  /** False: plan, and write nothing. */
  readonly isWriting: boolean
  /** Write nothing while the plan would remove a file or stops at a conflict. For runs that nobody watches. */
  readonly onlyClean?: boolean
}

/** What came of a run. Every report is made from this. */
export type Outcome =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'planned'
      readonly blueprint: Blueprint
      readonly prepared: Prepared
      /** What a run that was killed had done, taken back before this one. */
      readonly repaired: Taken | null
      readonly isWritten: boolean
    }

/** Manifest to disk: the one path that `generate`, `dev`, `new` and every preview take. */
export async function generate(root: string, options: GenerateOptions): Promise<Outcome> {
  const target = targetAt(root)
  const blueprint = await readBlueprint(root)
  if ('problems' in blueprint) return { kind: 'problems', problems: blueprint.problems }
  if (!options.isWriting) return planned(target, blueprint, options, null)
  return alone(target, () => planned(target, blueprint, options, repair(target)))
}

async function planned(
  target: Target,
  blueprint: Blueprint,
  options: GenerateOptions,
  repaired: Taken | null,
): Promise<Outcome> {
  const rendered = await renderFiles(target, blueprint)
  const prepared = await prepare(target, rendered, { ...options, version: ownVersion })
  const isWritten = options.isWriting && !(options.onlyClean === true && isRisky(prepared))
  if (isWritten) apply(target, prepared.changes)
  return { kind: 'planned', blueprint, prepared, repaired, isWritten }
}

const isRisky = ({ plan }: Prepared) =>
  plan.files.some(({ status, before }) => {
    return status === 'conflict' || (status === 'remove' && before !== null)
  })
