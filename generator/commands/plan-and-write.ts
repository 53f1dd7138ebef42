import type { Blueprint } from '../blueprint/types.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { nullComparisons } from '../plan/null-comparisons.js'
import { ownVersion } from '../plan/package-files.js'
import { migrationPaths } from '../plan/prisma/migrations.js'
import { hasOpenSchema, isBlocked, type PlanFile } from '../plan/status.js'
import { apply } from '../write/apply.js'
import { readBase } from '../write/base-store.js'
import { readClientFolder } from '../write/client-folder.js'
import { guard } from '../write/guard.js'
import { prepare, type PreparedPlan } from '../write/prepare.js'
import { readCode } from '../write/read-code.js'
import { untilFree } from '../write/run-lock.js'
import type { Taken } from '../write/take-back.js'
import type { Target } from '../write/target.js'
import { openTidied } from '../write/tidied.js'
import type { Outcome } from './generate-options.js'
import type { GenerateOptions } from './generate-options.js'
import { clientState, removeClient } from './prisma-client.js'
import { renderClient } from './render-client.js'
import { renderFiles } from './render-files.js'
import { restOf } from './rest.js'

/** What was read before anything is planned. */
interface Facts {
  readonly blueprint: Blueprint
  readonly graphql: GraphqlFacts
}

/** Plans what the project lacks, and writes it when it is asked to. */
export async function planned(
  target: Target,
  { blueprint, graphql }: Facts,
  options: GenerateOptions,
  repaired: Taken | null,
): Promise<Outcome> {
  const back = options.handover?.kind === 'adopt' ? options.handover.path : null
  options.onStep?.(`Writing the texts of ${blueprint.entities.length} repositories`)
  const code = readCode(target)
  const base = readBase(target, code)
  const { client: settings } = options.only === undefined ? blueprint : {}
  const disk = settings === undefined ? new Map() : readClientFolder(target, settings.path)
  const tidied = openTidied(target, disk.size === 0 ? base : new Map([...base, ...disk]))
  const rendered = await renderFiles(target, blueprint, graphql, back, tidied, {
    base,
    code,
    isStrict: options.isStrict,
  })
  const client =
    settings === undefined
      ? undefined
      : { files: await renderClient(target, blueprint, settings, base, tidied), disk }
  options.onStep?.('Comparing them with the project')
  const { only, graphqlOutput: _output, ...planning } = options
  const prepared = await prepare(target, rendered, {
    ...planning,
    version: ownVersion,
    blueprint,
    base,
    code,
    client,
    only: only === undefined ? undefined : (path: string) => only(path, graphql),
  })
  if (prepared.problems.length > 0) return { kind: 'problems', problems: prepared.problems }
  const isWritten = options.isWriting && !(options.onlyClean === true && isRisky(prepared))
  if (isWritten) apply(target, prepared.changes)
  if (options.isRehearsal === true) await rehearse(target, prepared.changes)
  if (isWritten) tidied.save()
  const isWhole = isWritten && !isBlocked(prepared.plan)
  const state = isWhole && !hasOpenSchema(prepared.plan) ? clientState(target) : 'same'
  if (state === 'nothing') removeClient(target)
  const isStale = state === 'stale'
  const { entities } = blueprint
  const rest = isWhole ? restOf(target, { code, prepared, entities, isStale }, options) : null
  const isClientStale = isStale && rest?.makesClient !== true
  const nulls = await nullComparisons(code, blueprint)
  const done = { isWritten, rest, isClientStale }
  return { kind: 'planned', blueprint, graphql, prepared, repaired, nulls, ...done }
}

/** What would stop a run that writes. */
async function rehearse(target: Target, changes: PreparedPlan['changes']): Promise<void> {
  await untilFree(target)
  if (changes.length > 0) guard(target, changes)
}

/** A draft is svc's own, and set aside when it was edited; a file that moves is not removed. */
const isRisky = ({ plan }: PreparedPlan) =>
  plan.files.some((file) => file.status === 'conflict' || isLosing(file))

/** A draft is svc's own, and one that was edited is kept; a file that moves is not gone. */
function isLosing({ path, status, before, movedTo }: PlanFile): boolean {
  const isDraft = path === migrationPaths.draft || path === migrationPaths.draftSchema
  return status === 'remove' && before !== null && movedTo === undefined && !isDraft
}
