import { forbidden, unauthenticated } from '../../errors.js'
import type { Access, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { readRow } from '../../operations/read.js'
import { answersTest, isCondition } from '../../policy/condition-sql.js'

export type PivotOperation = 'attach' | 'detach' | 'sync'

/** `blog_posts` → `BlogPosts`, as `Studly` of pivot-types.ts has it. */
function studly(key: string): string {
  return key
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** `attachUsers`, of a policy. */
export const pivotMethod = (operation: PivotOperation, key: string): string =>
  `${operation}${studly(key)}`

/** Asks `attachUsers` and the like; anything but true denies, and so does a method left out. */
export async function requirePivot(
  access: Access,
  operation: PivotOperation,
  key: string,
  args: readonly unknown[],
): Promise<void> {
  const method = pivotMethod(operation, key)
  // Methods are named after relations, which AnyPolicy does not know.
  const methods = access.entity.policy as Readonly<Record<string, unknown>>
  const ask = getOwn(methods, method)
  const answer =
    typeof ask === 'function'
      ? await (ask.call(methods, access.request.user, ...args) as unknown)
      : false
  if (answer !== true) throw denied(access, method)
}

const gateNames = { attach: 'canAttach', detach: 'canDetach', sync: 'canSync' } as const

export function hasGate({ entity }: Access, operation: PivotOperation, key: string): boolean {
  return getOwn(entity.policy[gateNames[operation]], key) !== undefined
}

/**
 * Asks `canAttach` and the like about each pivot; only a gate that exists can deny. Answers the
 * conditions that must hold for the record whose relation is changed.
 */
export async function askGate(
  access: Access,
  operation: PivotOperation,
  key: string,
  pivots: readonly Row[],
): Promise<readonly object[]> {
  const conditions = await gateConditions(access, operation, key, pivots)
  if (conditions === null) throw denied(access, `${gateNames[operation]}.${key}`)
  return conditions
}

/** Throws where one of the conditions does not hold for the record: one statement, or none. */
export async function requireGate(
  access: Access,
  operation: PivotOperation,
  key: string,
  pivots: readonly Row[],
  record: Row,
): Promise<void> {
  const { entity } = access
  const conditions = await askGate(access, operation, key, pivots)
  if (conditions.length === 0) return
  const filter = answersTest(entity, [{ id: record['id'] }, ...conditions])
  const isAllowed = filter !== false && (await readRow(entity, filter)) !== null
  if (!isAllowed) throw denied(access, `${gateNames[operation]}.${key}`)
}

/** Lists the conditions that a gate answers about pivots; null: it denies one of them. */
export async function gateConditions(
  { entity, request }: Access,
  operation: PivotOperation,
  key: string,
  pivots: readonly Row[],
): Promise<readonly object[] | null> {
  const gate = getOwn(entity.policy[gateNames[operation]], key)
  if (gate === undefined) return []
  const ask = typeof gate === 'function' ? gate : gate.__invoke.bind(gate)
  const conditions: object[] = []
  for (const pivot of pivots) {
    const answer = await ask(request.user, pivot)
    if (!isCondition(answer)) return null
    if (answer !== true) conditions.push(answer)
  }
  return conditions
}

function denied({ entity, request }: Access, method: string): Error {
  const { key, name, settings } = entity
  settings.explain?.(`${key}: ${method} denied: app/Policies/${name}Policy.ts`)
  return request.user === null ? unauthenticated() : forbidden()
}
