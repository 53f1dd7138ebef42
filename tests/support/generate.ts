import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblems } from '../../generator/blueprint/problems.js'
import { finish } from '../../generator/commands/change/rest.js'
import type { RuntimeForm } from '../../generator/write/base/lock-file.js'
import { generate } from './with-features.js'

interface Wanted {
  readonly wantsClient?: boolean
  readonly runtime?: RuntimeForm
}

/**
 * Runs `svc generate` in the folder; a manifest with problems fails the test with their text. A new config ignores unknown
 * parameters and keys of bodies, which are the subject of `strict.test.ts` and `strict-bodies.test.ts` in `tests/core/http`.
 */
export async function generateInto(
  folder: string,
  { wantsClient = false, runtime = 'package' }: Wanted = {},
): Promise<void> {
  const how = { isWriting: true, conflicts: 'stop', force: false, wantsClient, runtime } as const
  const config = join(folder, 'config/svc.ts')
  const isNew = !existsSync(config)
  let outcome = await generate(folder, how)
  if (outcome.kind === 'problems') throw new Error(formatProblems(outcome.problems))
  if (isNew) {
    const text = readFileSync(config, 'utf8')
    writeFileSync(config, text.replaceAll(/(strict_(?:queries|bodies)): true/g, '$1: false'))
    // The document says what bodies may hold.
    if (existsSync(join(folder, 'app/OpenApi/openapi.json'))) outcome = await generate(folder, how)
  }
  if (wantsClient) await finish(outcome)
}
