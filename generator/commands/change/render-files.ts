import type { Blueprint } from '../../blueprint/types.js'
import { movesOf } from '../../plan/compare/moves.js'
import type { FeatureFacts } from '../../plan/project.js'
import { renderProject } from '../../plan/render/render.js'
import type { Rendered } from '../../plan/status.js'
import { ownVersion } from '../../source/package-files.js'
import { readBase } from '../../write/base/base-store.js'
import { deletedPaths } from '../../write/base/deleted-paths.js'
import { readLock } from '../../write/base/lock-file.js'
import type { Base, Code } from '../../write/base/snapshot.js'
import type { TidiedCache } from '../../write/base/tidied.js'
import { svcSchema } from '../../write/prepare.js'
import { readProjectFacts, type Choices } from '../../write/project/project-facts.js'
import { ownImports, readCode } from '../../write/project/read-code.js'
import type { Target } from '../../write/target.js'
import type { Features } from '../context.js'
import { readFacts } from '../feature-facts.js'

/** The manifest, and what config/ says of features. */
export interface Described {
  readonly blueprint: Blueprint
  readonly facts: FeatureFacts
}

/** Facts that a run knows already. */
interface Run extends Choices {
  readonly features: Features
  /** A deleted file that is taken back, which counts as there. */
  readonly takenBack?: string | null
  readonly cache?: TidiedCache
  readonly base?: Base
  readonly code?: Code
}

/** Every file of the project as svc writes it today. */
export async function renderFiles(
  target: Target,
  { blueprint, facts: configs }: Described,
  run: Run,
): Promise<readonly Rendered[]> {
  const { features } = run
  const { takenBack = null, cache, base = readBase(target), code = readCode(target) } = run
  const schema = base.get(svcSchema) ?? null
  const deleted = deletedPaths(target, features, movesOf(blueprint, features, schema))
  const options = {
    ...readProjectFacts(target, run),
    facts: await readFacts(target, features, blueprint, configs),
    deleted: new Set([...deleted].filter((path) => path !== takenBack)),
    ownImports: ownImports(code, base),
    ejected: readLock(target, ownVersion)?.ejected.map(({ path }) => path) ?? [],
  }
  if (cache === undefined) return renderProject(blueprint, features, options)
  const inputs = [blueprint, options]
  return cache.whole(inputs, () =>
    renderProject(blueprint, features, { ...options, tidied: cache }),
  )
}
