import { basename } from 'node:path'
import type { Plan } from '../plan/status.js'

export interface DenyingPolicy {
  readonly path: string
  /** `PostPolicy`. */
  readonly name: string
}

const denying = /^\s*show:\s*(async\s*)?\([^)]*\)\s*=>\s*false\b/m

/** Policies that are not opened yet: their `show` is plainly false. */
export function denyingPolicies(plan: Plan): readonly DenyingPolicy[] {
  return plan.files
    .filter(({ path, content, rendered }) => {
      if (!path.startsWith('app/Policies/') || rendered === null || content === null) return false
      return denying.test(content)
    })
    .map(({ path }) => ({ path, name: basename(path, '.ts') }))
}
