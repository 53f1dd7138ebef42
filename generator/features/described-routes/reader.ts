import type { Blueprint } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import { isInBlueprint } from '../../plan/feature.js'
import type { FeatureReader } from '../../write/feature.js'
import type { Target } from '../../write/target.js'
import { describedPath } from './paths.js'
import { readDescribed } from './read/described.js'

export const describedRoutesReader: FeatureReader = {
  advice: async (target, blueprint) => {
    if (!['openapi', 'client'].some((name) => isInBlueprint(name, blueprint))) return []
    return notAsked(target, blueprint)
  },
}

/** Why the routes cannot be asked now. */
export async function notAsked(target: Target, blueprint: Blueprint): Promise<readonly Advice[]> {
  const { problem } = await readDescribed(target, blueprint)
  if (problem === null) return []
  const message = `svc cannot load the routes that describeRoute describes, so it uses what they said last: ${problem}`
  const fix = 'fix that, then run `svc generate` again'
  return [{ rule: 'described-routes', at: describedPath, message, fix }]
}
