import type { Access, Entity, HasEntity, Question, Row } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { accessTo, ask, mayStore, newRequest } from '../../policy/access.js'
import { answersTest, answerTest } from '../../policy/condition-sql.js'
import { gateAnswer } from '../../policy/gates.js'
import { all, where } from '../../policy/predicate.js'
import { compile, identifier, read, type Sql, sql, table } from '../../sql/sql.js'
import { pairDifferences } from './compare-pairs.js'
import { changedPivotGates } from './compare-pivot-gates.js'
import { usersCalled } from './named-users.js'
import { existingIn, findingOf, ownOperations } from './own-operations.js'
import { harmless } from './shown-value.js'
import { type Roles, usersOfRoles } from './users-of-roles.js'
import { personOf, type Users } from './users.js'
import type { Asker, Why } from './why-types.js'

/** The compared records; for `attachTags` and the like, pairs: `3 with 5`. */
interface Rows {
  readonly count: number
  /** The first of them. */
  readonly ids: readonly string[]
}

/** The effect of a change of policies on one user and one operation of a repository. */
export interface Difference {
  readonly repository: string
  /** `show`, `store`, `attachTags`, `canSee.notes` … */
  readonly operation: string
  readonly user: Why['user']
  readonly gains: Rows
  readonly loses: Rows
  /** No rows: what may be stored, and gates of fields. */
  readonly isWithoutRows: boolean
}

export interface Comparison {
  readonly users: readonly Why['user'][]
  readonly differences: readonly Difference[]
  /** Comparisons that failed, and why. */
  readonly problems: readonly string[]
  /** Notes about repositories that only one state has: there is nothing to compare. */
  readonly notes: readonly string[]
}

const mostIds = 5
const none: Rows = { count: 0, ids: [] }
const everyRow: Rows = { count: 1, ids: [] }

/** Compares what two states of policies let users do, on the rows of one database. */
export async function comparePolicies(
  before: readonly HasEntity[],
  after: readonly HasEntity[],
  users: Users | null,
  named: readonly string[],
  roles: Roles | null = null,
): Promise<Comparison> {
  const ofRoles =
    users === null || roles === null || named.length > 0 ? null : await usersOfRoles(users, roles)
  const known = ofRoles?.users ?? []
  const others = known.length > 0 || users === null ? known : await chosen(users, named)
  const people = [null, ...others]
  const differences: Difference[] = []
  const problems = [...(ofRoles?.problems ?? [])]
  const notes: string[] = []
  const olds = new Map(before.map(({ definition }) => [definition.key, definition]))
  for (const { definition: entity } of after) {
    const old = olds.get(entity.key)
    olds.delete(entity.key)
    if (old === undefined) {
      notes.push(`${entity.key} is new: there is nothing to compare it with.`)
      continue
    }
    for (const user of people) {
      try {
        const person = personOf(users, user)
        const found = await differencesOf(old, entity, user)
        differences.push(...found.map((each) => Object.assign({ user: person }, each)))
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        const text = `${entity.key} cannot be compared on this database: ${said}`
        problems.push(harmless(`${text} (does it lack a migration? \`svc migrate\`)`))
        break
      }
    }
  }
  notes.push(...[...olds.keys()].map((key) => `${key} is gone, and all that was allowed of it.`))
  return { users: people.map((user) => personOf(users, user)), differences, problems, notes }
}

/** Chooses the named users, or the first of each role, or the first. */
async function chosen(users: Users, named: readonly string[]): Promise<readonly Asker[]> {
  if (named.length > 0) return usersCalled(users, named)
  const { id, columns, table: name } = users.entity
  const role = columns.get('role')
  const from = sql`from ${identifier(name)}`
  const oldest =
    role === undefined
      ? sql`select ${identifier(id.name)} ${from} order by ${identifier(id.name)} limit 4`
      : sql`select min(${identifier(id.name)}) ${from} group by ${identifier(role.name)}`
  const condition = sql`u.${identifier(id.name)} in (${oldest}) order by u.${identifier(id.name)}`
  return (await users.where(condition)) as readonly Row[] // rows of the users' table
}

type Found = Omit<Difference, 'user'>

async function differencesOf(old: Entity, now: Entity, user: Asker): Promise<readonly Found[]> {
  const found: Found[] = []
  const own = [...ownOperations(now), ...ownOperations(old)].map(({ name }) => name)
  const becoming = [old, now].some(({ policy }) => policy.updateTo !== undefined)
  const asked: Question[] = ['show', 'update', ...(becoming ? ['updateTo' as const] : []), 'delete']
  for (const operation of new Set([...asked, ...own])) {
    const [one, other] = [await testOf(old, operation, user), await testOf(now, operation, user)]
    if (isSameTest(now, one, other)) continue
    const gains = await onlyIn(now, other, one)
    const loses = await onlyIn(now, one, other)
    if (gains.count + loses.count === 0) continue
    found.push({ repository: now.key, operation, gains, loses, isWithoutRows: false })
  }
  return [
    ...found,
    ...(await storing(old, now, user)),
    ...(await pairing(old, now, user)),
    ...(await gatesOf(old, now, user)),
    ...(await pivotGates(old, now, user)),
  ]
}

async function pairing(old: Entity, now: Entity, user: Asker): Promise<readonly Found[]> {
  if (isShutOut(now, user, true)) return []
  const shown = (entity: Entity) => testOf(entity, 'show', user)
  const found = await pairDifferences({ old, now }, user, shown)
  const rowsOf = (pairs: readonly string[]): Rows => ({
    count: pairs.length,
    ids: pairs.slice(0, mostIds),
  })
  return found.map(({ operation, gains, loses }) => ({
    ...{ repository: now.key, operation, isWithoutRows: false },
    ...{ gains: rowsOf(gains), loses: rowsOf(loses) },
  }))
}

/** A guest where requests need a token: no policy is asked. */
const isShutOut = ({ settings, isPublic }: Entity, user: Asker, isWrite: boolean): boolean =>
  user === null && settings.requiresToken && (isWrite || isPublic !== true)

/** The rows that a user may do something with: what is hidden is out of reach, too. */
async function testOf(entity: Entity, operation: Question, user: Asker): Promise<Test> {
  if (isShutOut(entity, user, operation !== 'show')) return false
  const access = findingOf(accessTo(newRequest(user), entity), operation)
  const conditions = await existingIn(access)
  if (conditions === null) return false
  if (operation === 'updateTo') return becomes(access, conditions)
  const shown = await ask(access, 'show')
  const answers = operation === 'show' ? [shown] : [shown, await ask(access, operation)]
  return answersTest(entity, [...conditions, ...answers])
}

/** The rows that one which is changed may look like. */
async function becomes(access: Access, conditions: readonly unknown[]): Promise<Test> {
  const { entity } = access
  const update = await ask(access, 'update')
  if (answerTest(entity, update) === false) return false
  const isOwn = entity.policy.updateTo !== undefined
  return answersTest(entity, [...conditions, isOwn ? await ask(access, 'updateTo') : update])
}

function isSameTest(entity: Entity, one: Test, other: Test): boolean {
  if (one === null || other === null || typeof one === 'boolean' || typeof other === 'boolean') {
    return (one === true) === (other === true) && isConstant(one) && isConstant(other)
  }
  const [first, second] = [one, other].map((test) => compile(test.sql, entity.dialect))
  return JSON.stringify(first) === JSON.stringify(second)
}

const isConstant = (test: Test) => test === null || typeof test === 'boolean'

/** The rows that one admits and the other does not, in one statement. */
async function onlyIn(entity: Entity, one: Test, other: Test): Promise<Rows> {
  const id = identifier('t0', entity.id.name)
  const rows = (test: Test): Sql =>
    sql`select ${id} as id from ${table(entity.table, 't0')}${where(test, { entity })}`
  const query = sql`with d as (${rows(one)} except ${rows(other)})
    select (select count(*) from d), id from d order by id limit ${mostIds}`
  const found = await read(entity.database, query)
  return { count: Number(found[0]?.[0] ?? 0), ids: found.map(([, each]) => String(each)) }
}

async function storing(old: Entity, now: Entity, user: Asker): Promise<readonly Found[]> {
  const may = async (entity: Entity) =>
    !isShutOut(entity, user, true) && mayStore(accessTo(newRequest(user), entity))
  return changed(now.key, 'store', await may(old), await may(now))
}

const gates = ['canSee', 'canStore', 'canUpdate'] as const

async function gatesOf(old: Entity, now: Entity, user: Asker): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const gate of gates) {
    if (isShutOut(now, user, gate !== 'canSee')) continue
    const [one, other] = [old.policy[gate], now.policy[gate]]
    for (const field of new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])) {
      const [was, is] = [gateAnswer(one, field, user), gateAnswer(other, field, user)]
      const operation = `${gate}.${field}`
      if (typeof was === 'boolean' && typeof is === 'boolean') {
        found.push(...changed(now.key, operation, was, is))
      } else found.push(...(await changedRows([old, was], [now, is], operation, user)))
    }
  }
  return found
}

/** The rows that a user sees, whose field a gate opens in one of the two states alone. */
async function changedRows(
  [old, was]: readonly [Entity, unknown],
  [now, is]: readonly [Entity, unknown],
  operation: string,
  user: Asker,
): Promise<readonly Found[]> {
  const rowsOf = async (entity: Entity, answer: unknown) =>
    all({ entity }, [await testOf(entity, 'show', user), answerTest(entity, answer)])
  const [one, other] = [await rowsOf(old, was), await rowsOf(now, is)]
  if (isSameTest(now, one, other)) return []
  const [gains, loses] = [await onlyIn(now, other, one), await onlyIn(now, one, other)]
  if (gains.count + loses.count === 0) return []
  return [{ repository: now.key, operation, gains, loses, isWithoutRows: false }]
}

/** Gates of pivot fields are code about one pivot row. */
async function pivotGates(old: Entity, now: Entity, user: Asker): Promise<readonly Found[]> {
  if (isShutOut(now, user, true)) return []
  const found = await changedPivotGates({ old, now }, user)
  return found.map(({ operation, gains, loses }) => ({
    ...{ repository: now.key, operation, isWithoutRows: true },
    ...{ gains: gains ? everyRow : none, loses: loses ? everyRow : none },
  }))
}

function changed(
  repository: string,
  operation: string,
  was: boolean,
  is: boolean,
): readonly Found[] {
  if (was === is) return []
  const gains = is ? everyRow : none
  return [{ repository, operation, gains, loses: is ? none : everyRow, isWithoutRows: true }]
}
