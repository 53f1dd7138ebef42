import type { Blueprint, Problem } from '../blueprint/types.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { PrismaSchemaError } from '../plan/prisma/schema-error.js'
import type { PlanOptions } from '../plan/status.js'
import type { Checked } from '../write/compile-check.js'
import type { Handover } from '../write/ownership.js'
import type { Prepared } from '../write/prepare.js'
import { alone } from '../write/run-lock.js'
import { repair, type Taken } from '../write/take-back.js'
import { at, own, targetAt, type Target } from '../write/target.js'
import { undisturbed } from '../write/undisturbed.js'
import { readGraphql, type OutputOptions } from './graphql-facts.js'
import { readBlueprint } from './read-blueprint.js'

export interface GenerateOptions extends Omit<PlanOptions, 'parses'> {
  /** False: plan, and write nothing. */
  readonly isWriting: boolean
  /** Write nothing while the plan would remove a file or stops at a conflict. For runs that nobody watches. */
  readonly onlyClean?: boolean
  /** Instead of what `config/svc-graphql.ts` says; the config is changed with it. */
  readonly graphqlOutput?: OutputOptions
  /** Leave every other file as it is. */
  readonly only?: (path: string, graphql: GraphqlFacts) => boolean
  /** A file that `svc eject` or `svc adopt` passes on. */
  readonly handover?: Handover
  /** `<table>.<column>=<value>`: what rows that exist get in a column that asks for a value. */
  readonly fills?: readonly string[] | undefined
  /** Look afterwards for lines of the developer's that do not compile. */
  readonly isCompiling?: boolean
  /** Told at each step, for runs that take long. */
  readonly onStep?: (step: string) => void
}

/** What came of a run. Every report is made from this. */
export type Outcome =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'planned'
      readonly blueprint: Blueprint
      readonly graphql: GraphqlFacts
      readonly prepared: Prepared
      /** What a run that was killed had done, taken back before this one. */
      readonly repaired: Taken | null
      readonly isWritten: boolean
      /** Lines of the developer's that do not compile with what was written; null: nobody looked. */
      readonly checked: Checked | null
    }

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
    if (error instanceof PrismaSchemaError) return { kind: 'problems', problems: error.problems }
    throw error
  }
}

/** The manifest is read by another process: what comes after it is loaded while this one would wait. */
function meanwhile<Result>(target: Target, reading: Promise<Result>): Promise<Result> {
  // Whoever needs them asks again, and is told what went wrong.
  import('./plan-and-write.js').catch(() => {})
  if (isNew(target))
    import('../plan/prisma/engine-wasm.js').then(
      ({ warmEngine }) => warmEngine(),
      () => {},
    )
  return reading
}

/** The first run of a project makes its first migration, for which it would wait. */
const isNew = (target: Target) => target.files.kind(at(target, own.base)) === null
