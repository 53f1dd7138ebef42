import type { Entity } from '../../blueprint/types.js'
import { checkOwnFiles, filesToCheck, readClient } from '../../write/compile/compile-check.js'
import type { PreparedPlan } from '../../write/prepare.js'
import { alone } from '../../write/run/run-lock.js'
import type { Target } from '../../write/target.js'
import { importsClient, usesClient } from './client-users.js'
import type { Finished, GenerateOptions, Outcome, Rest } from './generate-options.js'
import { refreshClient } from './prisma-client.js'

interface Written {
  readonly code: ReadonlyMap<string, string>
  readonly prepared: PreparedPlan
  readonly entities: readonly Entity[]
  readonly isStale: boolean
}

/**
 * What a run leaves for after its answer. Prisma's client is made when it is asked for, when code of the developer's uses it,
 * and when a file that is compiled does: everything else makes it where it needs it (`scripts/prisma-client.js`).
 */
export function restOf(
  target: Target,
  { code, prepared, entities, isStale }: Written,
  options: GenerateOptions,
): Rest | null {
  const { plan } = prepared
  const isChecking = options.isCompiling === true && !isFirst(prepared)
  const files = isChecking ? filesToCheck(target, plan, entities) : new Map<string, string>()
  const isServed = isStale && usesClient(code)
  const isAsked = options.wantsClient === true || [...files.values()].some(importsClient)
  const makesClient = isStale && (isServed || isAsked)
  if (!makesClient && files.size === 0) return null
  const finish = async (): Promise<Finished> => {
    const before = makesClient && files.size > 0 ? readClient(target) : new Map<string, string>()
    if (makesClient) options.onStep?.("Making Prisma's client")
    const clientFailure = makesClient ? await alone(target, () => refreshClient(target)) : null
    if (files.size > 0) options.onStep?.('Compiling your own files')
    const checked = isChecking ? await checkOwnFiles(target, plan, [...files.keys()], before) : null
    return { checked, clientFailure }
  }
  return { makesClient, isServed, finish }
}

/** A first run has nothing that could have been right before. */
const isFirst = ({ plan }: PreparedPlan) =>
  plan.files.every(({ baseBefore }) => baseBefore === null)

const nothing: Finished = { checked: null, clientFailure: null }

/** Does what a run left. */
export async function finish(outcome: Outcome): Promise<Finished> {
  if (outcome.kind === 'problems' || outcome.rest === null) return nothing
  return outcome.rest.finish()
}
