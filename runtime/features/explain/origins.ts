import { noDigits } from '../../kinds/kind.js'
import { uuid } from '../../kinds/uuid.js'
import type { Row } from '../../model/entity.js'
import { isComposite, isTests } from '../../policy/condition-sql.js'
import { combine, operands } from '../../policy/condition.js'

declare global {
  /** `svc why` writes into rules with several answers which of them is given. */
  // oxlint-disable-next-line no-var -- only so is it a member of globalThis
  var svcAnsweredAt: number | undefined
}

/** The user's fields that an answer comes from. */
export interface Origins {
  /** By the place of a value in the condition, as `placesIn` names it. */
  readonly byPlace: ReadonlyMap<string, string>
  /** Fields whose value decides what kind of answer there is: `role`. */
  readonly deciding: readonly string[]
}

const none: Origins = { byPlace: new Map(), deciding: [] }

/**
 * Asks a rule again for users of whom one field is another: a value of the condition that is then
 * another, too, comes from that field. Rules that wait are not asked, for they may ask others.
 */
export function originsOf(
  rule: ((user: unknown) => unknown) | undefined,
  user: Row | null,
  answer: unknown,
): Origins {
  if (rule === undefined || user === null) return none
  const places = placesIn(answer)
  const byPlace = new Map<string, string>()
  const deciding: string[] = []
  for (const [field, value] of Object.entries(user)) {
    const others = otherThan(value)
    for (const other of others) {
      const changed = askedWith(rule, user, field, other)
      if (changed === undefined) continue
      const now = placesIn(changed.answer)
      if (!hasSamePlaces(places, now)) {
        if (!deciding.includes(field)) deciding.push(field)
        continue
      }
      for (const [place, held] of places) {
        const isFound = held === value && now.get(place) === other
        if (isFound) byPlace.set(place, field)
      }
    }
  }
  return { byPlace, deciding }
}

function askedWith(
  rule: (user: unknown) => unknown,
  user: Row,
  field: string,
  value: unknown,
): { readonly answer: unknown } | undefined {
  try {
    const answer = rule(Object.assign({}, user, { [field]: value }))
    return answer instanceof Promise ? undefined : { answer }
  } catch {
    return undefined
  }
}

/** A value that no user has, of the same type. */
function otherThan(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [value === 1_999_999_973 ? 7 : 1_999_999_973]
  if (typeof value === 'boolean') return [!value]
  if (typeof value !== 'string') return []
  if (uuid.fromText(value, noDigits) !== undefined) return ['ffffffff-ffff-7fff-bfff-ffffffffff73']
  return ['svc:another']
}

/** The values in a condition by where they are; constants of it, too. */
export function placesIn(condition: unknown, place = ''): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  const visit = (part: unknown, at: string): void => {
    if (Array.isArray(part)) return part.forEach((each, index) => visit(each, `${at}/${index}`))
    if (!isTests(part)) return void found.set(at, part)
    if (!isComposite(part)) {
      for (const [name, each] of Object.entries(part)) visit(each, `${at}.${name}`)
      return
    }
    part[operands].forEach((each, index) => visit(each, `${at}/${part.combines}${index}`))
  }
  visit(condition, place)
  return found
}

/** A condition with words for the values that are the user's own: for people, never for the database. */
export function theirsIn(
  condition: unknown,
  at: string,
  origin: (at: string) => string | null,
): unknown {
  if (Array.isArray(condition)) {
    return condition.map((each, index) => theirsIn(each, `${at}/${index}`, origin))
  }
  if (!isTests(condition)) {
    const field = origin(at)
    return field === null ? condition : `the user's ${field}`
  }
  if (!isComposite(condition)) {
    const entries = Object.entries(condition)
    return Object.fromEntries(
      entries.map(([name, each]) => [name, theirsIn(each, `${at}.${name}`, origin)]),
    )
  }
  const { combines, texts, [operands]: parts } = condition
  const inner = parts.map((each, index) => theirsIn(each, `${at}/${combines}${index}`, origin))
  return combine(combines, inner, texts)
}

/** Words that stand for a value are no text of it. */
export const unquoted = (words: string): string => words.replaceAll(/"(the user's \w+)"/g, '$1')

/** Returns true if two conditions differ in their values only. */
function hasSamePlaces(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) {
  if (one.size !== other.size) return false
  return [...one].every(([place, value]) => {
    if (!other.has(place)) return false
    const isConstant = typeof value === 'boolean' || typeof other.get(place) === 'boolean'
    const isPart = place === '' || /\/(any|all|not)\d+$/.test(place)
    return !(isConstant && isPart) || value === other.get(place)
  })
}

/** The line of the answer that a rule gives this user; undefined: it has one answer, or says nothing. */
export function lineOfAnswer(
  rule: ((user: unknown) => unknown) | undefined,
  user: unknown,
): number | undefined {
  globalThis.svcAnsweredAt = undefined
  try {
    rule?.(user)
  } catch {
    return undefined
  }
  return globalThis.svcAnsweredAt
}
