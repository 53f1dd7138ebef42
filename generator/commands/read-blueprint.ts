import { buildBlueprint } from '../blueprint/blueprint.js'
import { inFileOrder } from '../blueprint/problems.js'
import type { Blueprint, Problem } from '../blueprint/types.js'
import { unknownConfigKeys } from '../load/config-keys.js'
import { loadManifest } from '../load/load-manifest.js'
import type { Features } from './context.js'

export type Read = { readonly blueprint: Blueprint } | { readonly problems: readonly Problem[] }

/** The checked manifest of the project, or all that is wrong with it and with the keys of its config. */
export async function readBlueprint(root: string, features: Features): Promise<Read> {
  const configKeys = features.flatMap(({ reader }) =>
    reader?.configKeys === undefined ? [] : [reader.configKeys],
  )
  const unknown = await unknownConfigKeys(root, configKeys)
  const read = await readManifest(root, features)
  if (unknown.length === 0) return read
  return { problems: inFileOrder([...unknown, ...('problems' in read ? read.problems : [])]) }
}

async function readManifest(root: string, features: Features): Promise<Read> {
  const loaded = await loadManifest(root, features, (text) => process.stderr.write(text))
  if ('problems' in loaded) return loaded
  return buildBlueprint(loaded.manifest, { ...loaded, features })
}
