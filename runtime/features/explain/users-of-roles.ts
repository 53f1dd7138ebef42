import type { Column } from '../../model/columns.js'
import { isRecord } from '../../model/get-own.js'
import { answerTest } from '../../policy/condition-sql.js'
import { asSql } from '../../policy/predicate.js'
import { identifier, sql } from '../../sql/sql.js'
import { harmless, shownValue } from './shown-value.js'
import type { Users } from './users.js'
import type { Asker } from './why-types.js'

/** The roles of `tests/roles.ts`, whose factories answer what they are given and write nothing. */
export type Roles = Readonly<Record<string, () => unknown>>

interface OfRoles {
  readonly users: readonly Asker[]
  /** Roles of which there is nobody, and why. */
  readonly problems: readonly string[]
}

type Values = Readonly<Record<string, unknown>>

/** For each role, the first user with the columns that it gives its own. */
export async function usersOfRoles(users: Users, roles: Roles): Promise<OfRoles> {
  const asked: (readonly [role: string, values: Values | null])[] = []
  for (const [role, make] of Object.entries(roles)) {
    const made = await madeBy(users, make)
    if (made !== 'guest') asked.push([role, made])
  }
  const names = new Set(asked.flatMap(([, values]) => Object.keys(values ?? {})))
  const columns = [...users.entity.columns.values()].filter(({ field }) => names.has(field))
  const found = new Map<unknown, Asker>()
  const problems: string[] = []
  for (const [role, values] of asked) {
    const title = `'${harmless(role)}' of tests/roles.ts`
    if (values === null) {
      problems.push(`${title} is more than the columns of a user: name somebody with --users.`)
      continue
    }
    const like = columns.flatMap((column) => testOf(users, column, values))
    const [needed, liked] = [false, true].map((isFree) =>
      Object.fromEntries(like.flatMap((each) => (each.isFree === isFree ? [each.test] : []))),
    )
    const user = await firstLike(users, needed ?? {}, liked ?? {})
    const words = like.flatMap(({ isFree, said }) => (isFree ? [] : [said])).join(', ')
    if (user === undefined) problems.push(`Nobody here is like ${title}: ${words || 'any user'}.`)
    else found.set(user?.['id'], user)
  }
  return { users: [...found.values()], problems }
}

/** Returns the values that the role gives its factory; null: the user has more than columns. */
async function madeBy({ entity }: Users, make: () => unknown): Promise<Values | 'guest' | null> {
  try {
    const made = await make()
    if (made === null) return 'guest'
    if (!isRecord(made) || made['svc.made'] !== `make${entity.name}`) return null
    const values = made['svc.values']
    if (!isRecord(values)) return null
    const isKnown = ([name, value]: readonly [string, unknown]) =>
      entity.columns.has(name) &&
      (value === null || ['string', 'number', 'boolean'].includes(typeof value))
    return Object.entries(values).every(isKnown) ? values : null
  } catch {
    return null
  }
}

/** Moments are never the same, so only whether there is one counts; what is required is anything. */
function testOf({ entity }: Users, column: Column, values: Values) {
  const { field, kind, nullable, storage } = column
  const isGiven = Object.hasOwn(values, field)
  const value = isGiven ? values[field] : (entity.defaults?.[field] ?? null)
  const isFree = !isGiven && value === null
  if (storage.isSecret || (isFree && !nullable)) return []
  if (value === null || kind === 'dateTime' || kind === 'date') {
    const test = [field, { isNull: value === null }] as const
    return [{ test, isFree, said: `${field} is ${value === null ? 'not set' : 'set'}` }]
  }
  return [{ test: [field, value] as const, isFree, said: `${field} is ${shownValue(value)}` }]
}

/** A role that sets no value leaves it to the factory: users without it come first. */
async function firstLike(
  { entity, where }: Users,
  needed: Values,
  liked: Values,
): Promise<Asker | undefined> {
  const testOfAll = (tests: Values) =>
    asSql({ entity }, Object.keys(tests).length === 0 || answerTest(entity, tests, 'u')).sql
  const id = sql`u.${identifier(entity.id.name)}`
  const order = sql`order by case when ${testOfAll(liked)} then 0 else 1 end, ${id} limit 1`
  // They are rows of the users' table.
  const [user] = (await where(sql`${testOfAll(needed)} ${order}`)) as readonly Asker[]
  return user
}
