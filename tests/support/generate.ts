import { formatProblems } from '../../generator/blueprint/problems.js'
import { generate } from '../../generator/commands/generate-project.js'

/** `svc generate` in the folder; a manifest with problems fails the test with their text. */
export async function generateInto(folder: string): Promise<void> {
  const outcome = await generate(folder, { isWriting: true, conflicts: 'stop', force: false })
  if (outcome.kind === 'problems') throw new Error(formatProblems(outcome.problems))
}
