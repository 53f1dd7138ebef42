import { buildBlueprint } from '../blueprint/blueprint.js'
import type { Blueprint, Problem } from '../blueprint/types.js'
import { loadManifest } from '../load/load-manifest.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { renderProject } from '../plan/render.js'
import type { Rendered } from '../plan/status.js'
import { readProjectFacts } from '../write/project-facts.js'
import type { Target } from '../write/target.js'

export type Read = { readonly blueprint: Blueprint } | { readonly problems: readonly Problem[] }

/** The checked manifest of the project, or all that is wrong with it. */
export async function readBlueprint(root: string): Promise<Read> {
  const loaded = await loadManifest(root)
  if ('problems' in loaded) return loaded
  return buildBlueprint(loaded.manifest, loaded)
}

/** Every file of the project as svc writes it today. */
export function renderFiles(
  target: Target,
  blueprint: Blueprint,
  graphql: GraphqlFacts | undefined,
): Promise<readonly Rendered[]> {
  const facts = readProjectFacts(target)
  return renderProject(blueprint, graphql === undefined ? facts : { ...facts, graphql })
}
