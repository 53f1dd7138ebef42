import type { Entity, Question, Row } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { accessTo, ask, newRequest } from '../../policy/access.js'
import { isCondition } from '../../policy/condition-sql.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { identifier, join, raw, read, sql, table } from '../../sql/sql.js'
import { conditionTree } from './condition-tree.js'
import type { Asking, ReadTree } from './leaves.js'
import { marked } from './marks.js'
import { type Origins, originsOf, placesIn } from './origins.js'
import { existingIn, findingOf } from './own-operations.js'
import { harmless } from './shown-value.js'
import { newAsking, placeIn } from './steps.js'
import type { Tree } from './tree.js'
import { personOf, type Users } from './users.js'
import { type Asker, Unanswerable } from './why-types.js'
import { whyRecord } from './why.js'

export interface WhoQuestion {
  readonly entity: Entity
  readonly id: string
  readonly operation: string
  readonly users: Users | null
  /** Only users whose `role` is this. */
  readonly role: string | null
  /** True: these may not. */
  readonly isNot: boolean
  /** Lists every user of a group, and not the first five. */
  readonly isAll?: boolean
}

/** Users for whom the same part of the policy decided. */
export interface Group {
  readonly because: string
  readonly count: number
  /** The first of them, or all. */
  readonly users: readonly { readonly id: string; readonly name: string }[]
}

export interface Who {
  readonly operation: string
  readonly repository: string
  readonly id: string
  readonly isNot: boolean
  readonly role: string | null
  readonly isThere: boolean
  /** 'yes' if somebody without a token may. */
  readonly guest: 'yes' | 'no'
  readonly file: string
  /** The number of these users who may, or may not. */
  readonly asked: number
  readonly count: number
  readonly groups: readonly Group[]
  /** It was stopped before all were asked. */
  readonly isPartial: boolean
}

/** Says how far it is, and whether to go on. */
export interface Course {
  readonly tell: (asked: number, of: number) => void
  readonly isStopped: () => boolean
}

/** Users of one page. */
const perPage = 500
/** Columns of one statement: SQLite has 2,000 at most, PostgreSQL 1,664. */
const mostColumns = 800
const mostNamed = 5

/**
 * Who may do something with a record, by the leaf that decided: every user is asked, page by page,
 * and all answers of some hundred users are one statement about the record.
 */
export async function whoMay(question: WhoQuestion, course: Course): Promise<Who> {
  const { entity, id, operation, users, role, isNot } = question
  const most = question.isAll === true ? Infinity : mostNamed
  const guest = await whyRecord({ entity, id, operation, user: null, audience: 'command' })
  const found = new Map<string, { count: number; users: Group['users'][number][] }>()
  let asked = 0
  let count = 0
  const isThere = guest.isThere === true
  if (isThere && users !== null) {
    const total = await countOf(users, role)
    let last: unknown = null
    while (!course.isStopped()) {
      const page = await pageAfter(users, role, last)
      for (const { user, answer, because } of await answersOf(question, page)) {
        asked += 1
        if ((answer === 'yes') === isNot) continue
        count += 1
        const group = found.get(because) ?? { count: 0, users: [] }
        group.count += 1
        const person = personOf(users, user)
        if (group.users.length < most && person !== null) group.users.push(person)
        found.set(because, group)
      }
      course.tell(asked, total)
      last = page.at(-1)?.['id']
      if (page.length < perPage) break
    }
  }
  const groups = [...found].map(([because, group]) => Object.assign({ because }, group))
  return {
    operation,
    repository: entity.key,
    id,
    isNot,
    role,
    isThere,
    guest: guest.answer,
    file: policyFile(entity),
    asked,
    count,
    groups: groups.toSorted((one, other) => other.count - one.count),
    isPartial: course.isStopped(),
  }
}

async function countOf(users: Users, role: string | null): Promise<number> {
  const from = sql`select count(*) from ${table(users.entity.table, 'u')}`
  const [row] = await read(users.entity.database, sql`${from} where ${ofRole(users, role)}`)
  return Number(row?.[0])
}

function ofRole({ entity }: Users, role: string | null) {
  if (role === null) return raw('1 = 1')
  const column = entity.columns.get('role')
  if (column === undefined) throw new Unanswerable(`${entity.key} have no column 'role'.`)
  return sql`cast(u.${identifier(column.name)} as text) = ${role}`
}

async function pageAfter(users: Users, role: string | null, last: unknown): Promise<Row[]> {
  const { id } = users.entity
  const key = sql`u.${identifier(id.name)}`
  const after =
    last === null || last === undefined ? raw('') : sql` and ${key} > ${id.encode(last)}`
  const tail = sql` order by ${key} limit ${raw(String(perPage))}`
  // They are rows of the users' table.
  return (await users.where(sql`${ofRole(users, role)}${after}${tail}`)) as Row[]
}

interface AnswerOfUser {
  readonly user: Asker
  readonly answer: 'yes' | 'no'
  readonly because: string
}

interface Waiting {
  readonly user: Row
  readonly rules: readonly { readonly name: string; readonly tree: ReadTree }[]
}

async function answersOf(question: WhoQuestion, page: readonly Row[]): Promise<AnswerOfUser[]> {
  const answers: AnswerOfUser[] = []
  const known = new Map<string, Origins>()
  let waiting: Waiting[] = []
  let asking: Asking | null = null
  for (const user of page) {
    const access = accessTo(newRequest(user), question.entity)
    const parts: Asking =
      asking ?? Object.assign(newAsking(access, 'command'), { isDetailed: false })
    asking = parts
    waiting.push({ user, rules: await rulesOf(question, user, parts, known) })
    if (parts.columns.length < mostColumns) continue
    answers.push(...(await answered(question, parts, waiting)))
    asking = null
    waiting = []
  }
  if (asking !== null) answers.push(...(await answered(question, asking, waiting)))
  return answers
}

/** The rules that have to agree, in the order in which they decide. */
async function rulesOf(
  { entity, operation }: WhoQuestion,
  user: Row,
  asking: Asking,
  known: Map<string, Origins>,
): Promise<Waiting['rules']> {
  const access = findingOf(accessTo(newRequest(user), entity), operation)
  const names = operation === 'show' ? ['show'] : ['show', operation]
  const rules: { name: string; tree: ReadTree }[] = []
  for (const name of names) {
    const method = name as Question // or the question would not have been asked
    const given = ask(access, method)
    const answer = await given
    // The same fields of users matter for all whose condition has the same form.
    const places = [...placesIn(answer)].map(([at, value]) =>
      typeof value === 'boolean' ? `${at}=${String(value)}` : at,
    )
    const shape = `${name} ${places.join(' ')}`
    const isAsked = given === answer
    const origins =
      known.get(shape) ?? originsOf(isAsked ? entity.policy[method] : undefined, user, answer)
    known.set(shape, origins)
    rules.push({ name, tree: treeOf(entity, asking, answer, origins) })
  }
  // Last, so that it decides where the policy does not.
  for (const condition of (await existingIn(access)) ?? []) {
    const tree = conditionTree(asking, placeIn(entity, 't0'), condition)
    rules.push({ name: isThere, tree })
  }
  return rules
}

const isThere = 'is there'

function treeOf(entity: Entity, asking: Asking, answer: unknown, origins: Origins): ReadTree {
  if (!isCondition(answer)) return outright('no', origins)
  if (answer === true) return outright('yes', origins)
  const own = Object.assign({}, asking, { origin: (at: string) => origins.byPlace.get(at) ?? null })
  return conditionTree(own, placeIn(entity, 't0'), answer)
}

const outright =
  (verdict: 'yes' | 'no', { deciding }: Origins): ReadTree =>
  () => {
    const because = deciding.length === 0 ? '' : `, for the user's ${deciding.join(', ')}`
    const label = `whatever the record${because}`
    return { kind: 'constant', words: label, label, verdict, decides: true }
  }

/** One statement about the record, which answers all that wait. */
async function answered(
  { entity, id: idText }: WhoQuestion,
  { columns }: Asking,
  waiting: readonly Waiting[],
): Promise<readonly AnswerOfUser[]> {
  const id = readId(entity.id, idText)
  if (id === null) return []
  const where = sql`${identifier('t0', entity.id.name)} = ${entity.id.encode(id)}`
  const list = columns.length === 0 ? raw('1') : join(columns)
  const query = sql`select ${list} from ${table(entity.table, 't0')} where ${where}`
  const [row] = await read(entity.database, query)
  if (row === undefined) return []
  return waiting.map(({ user, rules }) => {
    const trees = rules.map(({ name, tree }) => ({ name, tree: tree(row) }))
    const decisive =
      trees.find(({ tree }) => tree.verdict !== 'yes') ??
      trees.findLast(({ name }) => name !== isThere)
    const answer = decisive?.tree.verdict === 'yes' ? 'yes' : 'no'
    const because = decisive === undefined ? '' : becauseOf(decisive.name, decisive.tree)
    return { user, answer, because }
  })
}

/** The leaves that decided, in words that are the same for all users. */
function becauseOf(name: string, tree: Tree): string {
  if (tree.kind === 'constant') return harmless(`${name}: ${tree.label ?? tree.words}`)
  const leaves = deciding(marked(tree)).map(({ label, words }) => label ?? words)
  return harmless(
    `${name}: ${[...new Set(leaves)].join(tree.verdict === 'yes' ? ' and ' : ' or ')}`,
  )
}

const deciding = (tree: Tree): readonly Tree[] =>
  tree.parts === undefined ? (tree.decides ? [tree] : []) : tree.parts.flatMap(deciding)
