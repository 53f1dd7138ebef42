import type { Entity, HasEntity, Question, Row } from '../../model/entity.js'
import { answerTest } from '../../policy/condition-sql.js'
import { gateAnswer } from '../../policy/gates.js'
import { questionsOf } from '../../policy/policy-check.js'
import { compile, identifier, join, raw, sql, type Sql } from '../../sql/sql.js'
import { conditionWords } from './condition-words.js'

/** Finds users as policies know them; `u` is their table. */
export interface SampleUsers {
  readonly entity: Entity
  where(condition: Sql): Promise<readonly unknown[]>
}

/** The answer of a policy to one user: all records, none, or those of a condition. */
interface Answer {
  readonly answers: 'yes' | 'no' | 'when' | 'error'
  /** The condition for people, or what went wrong. */
  readonly words?: string
  readonly sql?: string
  /** The values that stand for `?` or `$1` in it. */
  readonly parameters?: readonly unknown[]
}

const gates = ['canSee', 'canStore', 'canUpdate'] as const

/** Users that are asked about, besides a guest: as many of those named, or who came first. */
const mostNamed = 8
const first = 4

/** The subject of the report. */
interface Asked {
  readonly repositories: readonly HasEntity[]
  readonly users: SampleUsers | null
}

/**
 * Development: what each policy answers a guest and some users, those of these ids and e-mails
 * (`3,ann@example.com`) or the first. A list of answers is in the order of the users.
 */
export async function policiesReport({ repositories, users }: Asked, named = '') {
  const names = named
    .split(',')
    .flatMap((name) => name.trim() || [])
    .slice(0, mostNamed)
  const found = users === null ? [] : await samplesOf(users, names)
  const samples = [null, ...found]
  const entities = repositories.map(({ definition }) => definition)
  return {
    users: samples.map((user) => ({
      id: user === null ? null : String(user['id']),
      name: user === null ? 'guest' : nameOf(user, users?.entity.title),
    })),
    unknown: names.filter((name) => !found.some((user) => isCalled(user, name))),
    repositories: await Promise.all(entities.map((entity) => reportOf(entity, samples))),
  }
}

/** They are rows of the users' table: objects; who is named first is first. */
async function samplesOf({ entity, where }: SampleUsers, names: readonly string[]) {
  const oldest = sql`select id from ${identifier(entity.table)} order by id limit ${raw(String(first))}`
  const called = names.map(
    (name) => sql`(cast(u.id as text) = ${name} or lower(u.email) = lower(${name}))`,
  )
  const rows = await where(names.length === 0 ? sql`u.id in (${oldest})` : join(called, ' or '))
  const place = (user: Row) => names.findIndex((name) => isCalled(user, name))
  return (rows as readonly Row[]).toSorted((one, other) => place(one) - place(other))
}

/** E-mails without case, as at signing in. */
const isCalled = (user: Row, name: string) =>
  [user['id'], user['email']].some((each) => String(each).toLowerCase() === name.toLowerCase())

const nameOf = (user: Row, title = 'name'): string =>
  String(user[title] ?? user['email'] ?? `user ${String(user['id'])}`)

async function reportOf(entity: Entity, users: readonly (Row | null)[]) {
  const { key, policy } = entity
  const asked = questionsOf(entity).filter((question) => policy[question] !== undefined)
  const methods = asked.map(async (method) => ({
    method,
    answers: await Promise.all(users.map((user) => answerOf(entity, method, user))),
  }))
  const gated = gates.flatMap((gate) =>
    Object.keys(policy[gate] ?? {}).map((field) => ({
      method: `${gate}.${field}`,
      answers: users.map((user) => gateAnswered(entity, gate, field, user)),
    })),
  )
  // These are asked of two records, so there is no answer before there are any.
  const perRecord = Object.keys(policy).filter((name) => /^(attach|detach|sync)/.test(name))
  return { key, methods: [...(await Promise.all(methods)), ...gated], perRecord }
}

async function answerOf(entity: Entity, method: Question, user: Row | null): Promise<Answer> {
  try {
    return inWords(entity, await entity.policy[method]?.(user))
  } catch (error) {
    return wentWrong(error)
  }
}

function gateAnswered(
  entity: Entity,
  gate: (typeof gates)[number],
  field: string,
  user: Row | null,
): Answer {
  try {
    return inWords(entity, gateAnswer(entity.policy[gate], field, user))
  } catch (error) {
    return wentWrong(error)
  }
}

function inWords(entity: Entity, answer: unknown): Answer {
  const tested = answerTest(entity, answer, entity.table)
  if (typeof tested === 'boolean' || tested === null) return { answers: tested ? 'yes' : 'no' }
  if (!tested.mayHold) return { answers: 'no', words: conditionWords(entity, answer) }
  const { text, parameters } = compile(tested.sql, entity.dialect)
  return { answers: 'when', words: conditionWords(entity, answer), sql: text, parameters }
}

const wentWrong = (error: unknown): Answer => ({
  answers: 'error',
  words: error instanceof Error ? error.message : String(error),
})
