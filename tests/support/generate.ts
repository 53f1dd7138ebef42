import { formatProblems } from '../../generator/blueprint/problems.js'
import { generate } from '../../generator/commands/generate-project.js'

/**
 * `svc generate` in the folder; a manifest with problems fails the test with their text. What its queries do not know is
 * ignored, as in Restify: `tests/server/strict.test.ts` has it otherwise.
 */
export async function generateInto(folder: string): Promise<void> {
  const options = { isWriting: true, conflicts: 'stop', force: false, isStrict: false } as const
  const outcome = await generate(folder, options)
  if (outcome.kind === 'problems') throw new Error(formatProblems(outcome.problems))
}
