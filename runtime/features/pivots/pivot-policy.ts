import { forbidden, unauthenticated } from '../../errors.js'
import type { Access } from '../../policy/access.js'
import type { Row } from '../../model/definition.js'
import { own } from '../../model/own.js'

export type PivotOperation = 'attach' | 'detach' | 'sync'

/** `blog_posts` → `BlogPosts`, as `Studly` of model.ts has it. */
function studly(key: string): string {
  return key
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Asks `attachUsers` and the like; anything but true refuses, and so does a method left out. */
export async function requirePivot(
  access: Access,
  operation: PivotOperation,
  key: string,
  args: readonly unknown[],
): Promise<void> {
  const method = `${operation}${studly(key)}`
  // Methods are named after relations, which AnyPolicy does not know.
  const methods = access.entity.definition.policy as Readonly<Record<string, unknown>>
  const ask = own(methods, method)
  const answer =
    typeof ask === 'function'
      ? await (ask.call(methods, access.request.user, ...args) as unknown)
      : false
  if (answer !== true) throw refuse(access, method)
}

const gateNames = { attach: 'canAttach', detach: 'canDetach', sync: 'canSync' } as const

export function hasGate({ entity }: Access, operation: PivotOperation, key: string): boolean {
  return own(entity.definition.policy[gateNames[operation]], key) !== undefined
}

/** Asks `canAttach` and the like about each pivot; only a gate that exists can refuse. */
export async function requireGate(
  access: Access,
  operation: PivotOperation,
  key: string,
  pivots: readonly Row[],
): Promise<void> {
  const gates = access.entity.definition.policy[gateNames[operation]]
  const gate = own(gates, key)
  if (gate === undefined) return
  const ask = typeof gate === 'function' ? gate : gate.__invoke.bind(gate)
  for (const pivot of pivots) {
    if ((await ask(access.request.user, pivot)) !== true) {
      throw refuse(access, `${gateNames[operation]}.${key}`)
    }
  }
}

function refuse({ entity, request }: Access, method: string): Error {
  const { key, name, settings } = entity.definition
  settings.explain?.(`${key}: ${method} refused: app/Policies/${name}Policy.ts`)
  return request.user === null ? unauthenticated() : forbidden()
}
