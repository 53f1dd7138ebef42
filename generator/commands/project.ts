import { buildBlueprint } from '../blueprint/blueprint.js'
import type { Blueprint, Problem } from '../blueprint/types.js'
import { loadManifest } from '../load/load-manifest.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { movesOf } from '../plan/moves.js'
import { renderProject } from '../plan/render.js'
import type { Rendered } from '../plan/status.js'
import type { Tidied } from '../plan/tidy.js'
import { deletedPaths } from '../write/deleted-paths.js'
import { readProjectFacts } from '../write/project-facts.js'
import type { Target } from '../write/target.js'

export type Read = { readonly blueprint: Blueprint } | { readonly problems: readonly Problem[] }

/** The checked manifest of the project, or all that is wrong with it. */
export async function readBlueprint(root: string): Promise<Read> {
  const loaded = await loadManifest(root, (text) => process.stderr.write(text))
  if ('problems' in loaded) return loaded
  return buildBlueprint(loaded.manifest, loaded)
}

/** Every file of the project as svc writes it today. A deleted file that is taken back counts as there. */
export function renderFiles(
  target: Target,
  blueprint: Blueprint,
  graphql: GraphqlFacts | undefined,
  takenBack: string | null = null,
  tidied?: Tidied,
): Promise<readonly Rendered[]> {
  const facts = readProjectFacts(target)
  const deleted = deletedPaths(target, movesOf(blueprint))
  const gone = new Set([...deleted].filter((path) => path !== takenBack))
  return renderProject(blueprint, {
    ...facts,
    deleted: gone,
    ...(graphql === undefined ? {} : { graphql }),
    ...(tidied === undefined ? {} : { tidied }),
  })
}
