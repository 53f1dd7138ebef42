import { basename } from 'node:path'
import type { Plan } from '../../plan/status.js'

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

const closedPivot = /^ {2}attach(\w+): \(\) => false,$/gm

/**
 * Policies that this run wrote with methods for many-to-many relations that deny, although `newPolicies` opened the rest: it
 * opens none of these.
 */
export function closedPivots(
  plan: Plan,
): readonly (DenyingPolicy & { readonly methods: string })[] {
  return plan.files.flatMap(({ path, before, content }) => {
    if (!path.startsWith('app/Policies/') || content === null || before === content) return []
    if (denying.test(content)) return []
    const methods = [...content.matchAll(closedPivot)].map(([, name = '']) => `attach${name}`)
    if (methods.length === 0) return []
    return [{ path, name: basename(path, '.ts'), methods: methods.join(', ') }]
  })
}
