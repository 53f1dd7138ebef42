import { buildBlueprint } from '../blueprint/blueprint.js'
import type { Blueprint, Problem } from '../blueprint/types.js'
import { loadManifest } from '../load/load-manifest.js'

export type Read = { readonly blueprint: Blueprint } | { readonly problems: readonly Problem[] }

/** The checked manifest of the project, or all that is wrong with it. */
export async function readBlueprint(root: string): Promise<Read> {
  const loaded = await loadManifest(root, (text) => process.stderr.write(text))
  if ('problems' in loaded) return loaded
  return buildBlueprint(loaded.manifest, loaded)
}
