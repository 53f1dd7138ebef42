import { formatProblems } from '../../generator/blueprint/problems.js'
import { finish } from '../../generator/commands/change/rest.js'
import type { RuntimeForm } from '../../generator/write/base/lock-file.js'
import { generate } from './with-features.js'

interface Wanted {
  readonly wantsClient?: boolean
  readonly runtime?: RuntimeForm
}

/**
 * `svc generate` in the folder; a manifest with problems fails the test with their text. What its queries do not know is
 * ignored, as in Restify: `tests/core/http/strict.test.ts` has it otherwise. Prisma's client is made where it is asked for.
 */
export async function generateInto(
  folder: string,
  { wantsClient = false, runtime = 'package' }: Wanted = {},
): Promise<void> {
  const how = { isWriting: true, conflicts: 'stop', force: false, isStrict: false } as const
  const outcome = await generate(folder, { ...how, wantsClient, runtime })
  if (outcome.kind === 'problems') throw new Error(formatProblems(outcome.problems))
  if (wantsClient) await finish(outcome)
}
