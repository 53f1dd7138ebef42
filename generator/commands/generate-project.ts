import type { Blueprint, Problem } from '../blueprint/types.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { ownVersion } from '../plan/package-files.js'
import { migrationPaths } from '../plan/prisma/migrations.js'
import { PrismaSchemaError } from '../plan/prisma/schema-error.js'
import { hasOpenSchema, isBlocked, type PlanFile, type PlanOptions } from '../plan/status.js'
import { apply } from '../write/apply.js'
import { checkOwnFiles, readClient, type Checked } from '../write/compile-check.js'
import type { Handover } from '../write/ownership.js'
import { prepare, type Prepared } from '../write/prepare.js'
import { alone } from '../write/run-lock.js'
import { repair, type Taken } from '../write/take-back.js'
import { at, own, targetAt, type Target } from '../write/target.js'
import { openTidied } from '../write/tidied.js'
import { undisturbed } from '../write/undisturbed.js'
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
  if (isNew(target)) void import('../plan/prisma/engine-wasm.js').then((engine) => engine.warmEngine())
  const read = await readBlueprint(root)
  if ('problems' in read) return { kind: 'problems', problems: read.problems }
  const { blueprint } = read
  const asked = await readGraphql(root, blueprint, options.graphqlOutput)
  if ('problems' in asked) return { kind: 'problems', problems: asked.problems }
  const facts = { blueprint, graphql: asked.graphql }
  try {
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

/** The first run of a project makes its first migration, for which it would wait. */
const isNew = (target: Target) => target.files.kind(at(target, own.base)) === null

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
  const back = options.handover?.kind === 'adopt' ? options.handover.path : null
  options.onStep?.(`Writing the texts of ${blueprint.entities.length} repositories`)
  const tidied = openTidied(target)
  const rendered = await renderFiles(target, blueprint, graphql, back, tidied)
  options.onStep?.('Comparing them with the project')
  const { only, graphqlOutput: _output, ...planning } = options
  const prepared = await prepare(target, rendered, {
    ...planning,
    version: ownVersion,
    blueprint,
    only: only === undefined ? undefined : (path: string) => only(path, graphql),
  })
  if (prepared.problems.length > 0) return { kind: 'problems', problems: prepared.problems }
  const isWritten = options.isWriting && !(options.onlyClean === true && isRisky(prepared))
  if (isWritten) apply(target, prepared.changes)
  if (isWritten) tidied.save()
  const isWhole = isWritten && !isBlocked(prepared.plan)
  const isChecking = isWhole && options.isCompiling === true && !isFirst(prepared)
  const client = isChecking ? readClient(target, prepared.plan) : new Map<string, string>()
  const hasClient = isWhole && !hasOpenSchema(prepared.plan)
  if (hasClient) options.onStep?.("Making Prisma's client")
  if (hasClient) await refreshClient(target)
  if (isChecking) options.onStep?.('Compiling your own files')
  const { entities } = blueprint
  const before = { plan: prepared.plan, entities, client }
  const checked = isChecking ? await checkOwnFiles(target, before) : null
  return { kind: 'planned', blueprint, graphql, prepared, repaired, isWritten, checked }
}

/** A first run has nothing that could have been right before. */
const isFirst = ({ plan }: Prepared) => plan.files.every(({ baseBefore }) => baseBefore === null)

/** A draft is svc's own, and set aside when it was edited; a file that moves is not removed. */
const isRisky = ({ plan }: Prepared) =>
  plan.files.some((file) => file.status === 'conflict' || isLosing(file))

/** A draft is svc's own, and one that was edited is kept; a file that moves is not gone. */
function isLosing({ path, status, before, movedTo }: PlanFile): boolean {
  const isDraft = path === migrationPaths.draft || path === migrationPaths.draftSchema
  return status === 'remove' && before !== null && movedTo === undefined && !isDraft
}
