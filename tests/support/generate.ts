import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblems } from '../../generator/blueprint/problems.js'
import { generate } from '../../generator/commands/generate-project.js'

/**
 * `svc generate` in the folder; a manifest with problems fails the test with their text. What a new project's queries do not
 * know is ignored, as in Restify; `tests/server/strict.test.ts` has it otherwise.
 */
export async function generateInto(folder: string): Promise<void> {
  const isNew = !existsSync(join(folder, '.svc'))
  const outcome = await generate(folder, { isWriting: true, conflicts: 'stop', force: false })
  if (outcome.kind === 'problems') throw new Error(formatProblems(outcome.problems))
  if (isNew) edit(join(folder, 'config/svc.ts'), 'strict_queries: true', 'strict_queries: false')
}

const edit = (path: string, from: string, to: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
