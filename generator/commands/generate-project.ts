import type { Blueprint, Problem } from '../blueprint/types.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { ownVersion } from '../plan/package-files.js'
import { PrismaSchemaError } from '../plan/prisma/schema-error.js'
import { isBlocked, type PlanOptions } from '../plan/status.js'
import { apply } from '../write/apply.js'
import { prepare, type Prepared } from '../write/prepare.js'
import { alone } from '../write/run-lock.js'
import { repair, type Taken } from '../write/take-back.js'
import { targetAt, type Target } from '../write/target.js'
import { readGraphql, type OutputOptions } from './graphql-facts.js'
import { refreshClient } from './prisma-client.js'
import { readBlueprint, renderFiles } from './project.js'

export interface GenerateOptions extends Omit<PlanOptions, 'parses'> {
  /** False: plan, and write nothing. */
  readonly isWriting: boolean
  /** Write nothing while the plan would remove a file or stops at a conflict. For runs that nobody watches. */
  readonly onlyClean?: boolean
  /** Instead of what `config/svc-graphql.ts` says; the config is changed with it. */
  readonly graphqlOutput?: OutputOptions
  /** Leave every other file as it is. */
  readonly only?: (path: string, graphql: GraphqlFacts) => boolean
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
    }

/** Manifest to disk: the one path that `generate`, `dev`, `new` and every preview take. */
export async function generate(root: string, options: GenerateOptions): Promise<Outcome> {
  const target = targetAt(root)
  const read = await readBlueprint(root)
  if ('problems' in read) return { kind: 'problems', problems: read.problems }
  const { blueprint } = read
  const asked = await readGraphql(root, blueprint, options.graphqlOutput)
  if ('problems' in asked) return { kind: 'problems', problems: asked.problems }
  const facts = { blueprint, graphql: asked.graphql }
  try {
    if (!options.isWriting) return await planned(target, facts, options, null)
    return await alone(target, () => planned(target, facts, options, repair(target)))
  } catch (error) {
    if (error instanceof PrismaSchemaError) return { kind: 'problems', problems: error.problems }
    throw error
  }
}

interface Facts {
  readonly blueprint: Blueprint
  readonly graphql: GraphqlFacts
}

async function planned(
  target: Target,
  { blueprint, graphql }: Facts,
  options: GenerateOptions,
  repaired: Taken | null,
): Promise<Outcome> {
  const rendered = await renderFiles(target, blueprint, graphql)
  const { conflicts, force, only } = options
  const prepared = await prepare(target, rendered, {
    conflicts,
    force,
    version: ownVersion,
    ...(only === undefined
      ? { database: blueprint.database }
      : { only: (path: string) => only(path, graphql) }),
  })
  if (prepared.problems.length > 0) return { kind: 'problems', problems: prepared.problems }
  const isWritten = options.isWriting && !(options.onlyClean === true && isRisky(prepared))
  if (isWritten) apply(target, prepared.changes)
  if (isWritten && !isBlocked(prepared.plan)) await refreshClient(target)
  return { kind: 'planned', blueprint, graphql, prepared, repaired, isWritten }
}

const isRisky = ({ plan }: Prepared) =>
  plan.files.some(({ status, before }) => {
    return status === 'conflict' || (status === 'remove' && before !== null)
  })
