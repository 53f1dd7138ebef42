import type { Blueprint } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { Target } from '../../write/target.js'
import { isInBlueprint } from '../feature.js'
import type { FeatureReader } from '../reader.js'
import { describedPath } from './paths.js'
import { readDescribed } from './read/described.js'

export const describedRoutesReader: FeatureReader = {
  name: 'describedRoutes',
  advice: async (target, blueprint) => {
    if (!['openapi', 'client'].some((name) => isInBlueprint(name, blueprint))) return []
    return notAsked(target, blueprint)
  },
}

/** Why the routes cannot be asked now. */
export async function notAsked(target: Target, blueprint: Blueprint): Promise<readonly Advice[]> {
  const { problem } = await readDescribed(target, blueprint)
  if (problem === null) return []
  const message = `the routes that describeRoute describes cannot be asked now, so what they said last counts: ${problem}`
  const fix = 'put that right, then `svc generate` once more'
  return [{ rule: 'described-routes', at: describedPath, message, fix }]
}
