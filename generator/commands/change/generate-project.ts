import { ProblemsError } from '../../blueprint/problems-error.js'
import { hasBase } from '../../write/base/base-store.js'
import { alone } from '../../write/run/run-lock.js'
import { repair } from '../../write/run/take-back.js'
import { undisturbed } from '../../write/run/undisturbed.js'
import { targetAt, type Target } from '../../write/target.js'
import { readConfigs } from '../feature-facts.js'
import { readBlueprint } from '../read-blueprint.js'
import type { GenerateOptions, Outcome } from './generate-options.js'

/** Manifest to disk: the one path that `generate`, `dev`, `new` and every preview take. */
export async function generate(root: string, options: GenerateOptions): Promise<Outcome> {
  const { features } = options
  const target = targetAt(root)
  options.onStep?.('Reading the manifest')
  const read = await meanwhile(target, readBlueprint(root, features))
  if ('problems' in read) return { kind: 'problems', problems: read.problems }
  const { blueprint } = read
  const { facts, problems } = await readConfigs(root, features, blueprint, options.config)
  if (problems.length > 0) return { kind: 'problems', problems }
  const described = { blueprint, facts }
  try {
    const { planned } = await import('./plan-and-write.js')
    if (!options.isWriting) return await planned(target, described, options, null)
    return await alone(target, () => {
      const repaired = repair(target)
      return undisturbed(() => planned(target, described, options, repaired))
    })
  } catch (error) {
    if (error instanceof ProblemsError) return { kind: 'problems', problems: error.problems }
    throw error
  }
}

/** The manifest is read by another process: what comes after it is loaded while this one would wait. */
function meanwhile<Result>(target: Target, reading: Promise<Result>): Promise<Result> {
  // A later step loads it again, and reports what went wrong.
  import('./plan-and-write.js').catch(() => {})
  if (isNew(target))
    import('../../migrations/diff/engine-wasm.js').then(
      ({ warmEngine }) => warmEngine(),
      () => {},
    )
  return reading
}

/** The first run of a project makes its first migration, for which it would wait. */
const isNew = (target: Target) => !hasBase(target)
