import type { Blueprint } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import { nullComparisons } from '../../plan/advice/null-comparisons.js'
import { hasOpenSchema, isBlocked, type PlanFile } from '../../plan/status.js'
import { ownVersion } from '../../source/package-files.js'
import { readBase } from '../../write/base/base-store.js'
import { readOwnFolder } from '../../write/base/own-folder.js'
import { TidiedCache } from '../../write/base/tidied.js'
import { prepare, type PreparedPlan } from '../../write/prepare.js'
import { notInstalled } from '../../write/project/installed-packages.js'
import { readProjectFacts } from '../../write/project/project-facts.js'
import { readCode } from '../../write/project/read-code.js'
import { vendored } from '../../write/project/runtime-form.js'
import { apply } from '../../write/run/apply.js'
import { guard } from '../../write/run/guard.js'
import { untilFree } from '../../write/run/run-lock.js'
import type { Taken } from '../../write/run/take-back.js'
import type { Target } from '../../write/target.js'
import type { Features } from '../context.js'
import type { Outcome } from './generate-options.js'
import type { GenerateOptions } from './generate-options.js'
import { clientState, removeClient } from './prisma-client.js'
import { renderFiles, type Described } from './render-files.js'
import { restOf } from './rest.js'

/** Plans what the project lacks, and writes it when it is asked to. */
export async function planned(
  target: Target,
  described: Described,
  options: GenerateOptions,
  repaired: Taken | null,
): Promise<Outcome> {
  const { blueprint, facts } = described
  const { features } = options
  const back = options.handover?.kind === 'adopt' ? options.handover.path : null
  options.onStep?.(`Writing the texts of ${blueprint.entities.length} repositories`)
  const code = readCode(target)
  const base = readBase(target, code)
  const folders = options.only === undefined ? ownFolders(target, features, blueprint) : []
  const beside = folders.flatMap(({ disk }) => [...disk])
  const tidied = new TidiedCache(target, beside.length === 0 ? base : new Map([...base, ...beside]))
  const rendered = await renderFiles(target, described, {
    ...{ features, takenBack: back, cache: tidied, base, code },
    runtime: options.runtime,
  })
  const plannedFolders = await Promise.all(
    folders.map(async (folder) => {
      return {
        ...folder,
        files: await folder.render(target, blueprint, { base, tidied, features }),
      }
    }),
  )
  options.onStep?.('Comparing them with the project')
  const { only, config: _config, runtime: _runtime, ...planning } = options
  const { runtime: asked } = readProjectFacts(target, options)
  const prepared = await prepare(target, rendered, {
    ...planning,
    version: ownVersion,
    blueprint,
    base,
    code,
    folders: only === undefined ? [...plannedFolders, vendored(target, asked)] : [],
    runtime: asked === null ? 'own' : 'package',
    only: only === undefined ? undefined : (path: string) => only(path, facts),
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
  const unread = await adviceOf(target, features, blueprint)
  const done = { isWritten, rest, isClientStale, notInstalled: notInstalled(target) }
  return { kind: 'planned', blueprint, facts, prepared, repaired, nulls, unread, ...done }
}

/** Lists what features cannot know now. */
async function adviceOf(
  target: Target,
  features: Features,
  blueprint: Blueprint,
): Promise<readonly Advice[]> {
  const said = features.map(async ({ reader }) => (await reader?.advice?.(target, blueprint)) ?? [])
  return (await Promise.all(said)).flat()
}

/** Folders that are written whole, with what lies there. */
const ownFolders = (target: Target, features: Features, blueprint: Blueprint) =>
  features
    .flatMap(({ reader }) => reader?.folder?.(blueprint) ?? [])
    .map((folder) => ({ ...folder, disk: readOwnFolder(target, folder) }))

/** Tries what would stop a run that writes. */
async function rehearse(target: Target, changes: PreparedPlan['changes']): Promise<void> {
  await untilFree(target)
  if (changes.length > 0) guard(target, changes)
}

/**
 * Only files that svc wrote and nobody edited are removed; without its auth repository, a project
 * would answer everybody.
 */
const isRisky = ({ plan }: PreparedPlan) =>
  plan.files.some((file) => file.status === 'conflict' || isLosingAuth(file))

const isLosingAuth = ({ path, status }: PlanFile) => path === 'app/auth.ts' && status === 'remove'
