import { ProblemsError } from '../plan/problems-error.js'
import { alone } from '../write/run-lock.js'
import { repair } from '../write/take-back.js'
import { at, svcPaths, targetAt, type Target } from '../write/target.js'
import { undisturbed } from '../write/undisturbed.js'
import type { GenerateOptions, Outcome } from './generate-options.js'
import { readGraphql } from './graphql-facts.js'
import { readBlueprint } from './read-blueprint.js'

/** Manifest to disk: the one path that `generate`, `dev`, `new` and every preview take. */
export async function generate(root: string, options: GenerateOptions): Promise<Outcome> {
  const target = targetAt(root)
  options.onStep?.('Reading the manifest')
  const read = await meanwhile(target, readBlueprint(root))
  if ('problems' in read) return { kind: 'problems', problems: read.problems }
  const { blueprint } = read
  const asked = await readGraphql(root, blueprint, options.graphqlOutput)
  if ('problems' in asked) return { kind: 'problems', problems: asked.problems }
  const facts = { blueprint, graphql: asked.graphql }
  try {
    const { planned } = await import('./plan-and-write.js')
    if (!options.isWriting) return await planned(target, facts, options, null)
    return await alone(target, () => {
      const repaired = repair(target)
      return undisturbed(() => planned(target, facts, options, repaired))
    })
  } catch (error) {
    if (error instanceof ProblemsError) return { kind: 'problems', problems: error.problems }
    throw error
  }
}

/** The manifest is read by another process: what comes after it is loaded while this one would wait. */
function meanwhile<Result>(target: Target, reading: Promise<Result>): Promise<Result> {
  // What needs them asks again, and reports what went wrong.
  import('./plan-and-write.js').catch(() => {})
  if (isNew(target))
    import('../plan/prisma/engine-wasm.js').then(
      ({ warmEngine }) => warmEngine(),
      () => {},
    )
  return reading
}

/** The first run of a project makes its first migration, for which it would wait. */
const isNew = (target: Target) => target.files.kind(at(target, svcPaths.base)) === null
