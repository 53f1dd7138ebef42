import type { Blueprint } from '../blueprint/types.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { movesOf } from '../plan/moves.js'
import { renderProject } from '../plan/render.js'
import type { Rendered } from '../plan/status.js'
import { deletedPaths } from '../write/deleted-paths.js'
import { readProjectFacts } from '../write/project-facts.js'
import { svcSchema } from '../write/prepare.js'
import { at, own, type Target } from '../write/target.js'
import type { TidiedCache } from '../write/tidied.js'

/** Every file of the project as svc writes it today. A deleted file that is taken back counts as there. */
export function renderFiles(
  target: Target,
  blueprint: Blueprint,
  graphql: GraphqlFacts | undefined,
  takenBack: string | null = null,
  cache?: TidiedCache,
): Promise<readonly Rendered[]> {
  const facts = readProjectFacts(target)
  const schema = target.files.read(at(target, `${own.base}/${svcSchema}`))
  const deleted = deletedPaths(target, movesOf(blueprint, schema))
  const gone = new Set([...deleted].filter((path) => path !== takenBack))
  const options = { ...facts, deleted: gone, ...(graphql === undefined ? {} : { graphql }) }
  if (cache === undefined) return renderProject(blueprint, options)
  const inputs = [blueprint, options]
  return cache.whole(inputs, () => renderProject(blueprint, { ...options, tidied: cache }))
}
