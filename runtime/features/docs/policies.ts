import type { Entity, HasEntity, Question, Row } from '../../model/entity.js'
import { passes } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { questions } from '../../policy/policy-check.js'
import { compile, id, raw, sql, type Sql } from '../../sql/sql.js'
import { conditionWords } from './condition-words.js'

/** Finds users as policies know them; `u` is their table. */
export interface SampleUsers {
  readonly entity: Entity
  where(condition: Sql): Promise<readonly unknown[]>
}

/** What a policy answers one user: of every record, of none, of those a condition admits. */
interface Answer {
  readonly answers: 'yes' | 'no' | 'when' | 'error'
  /** The condition for people, or what went wrong. */
  readonly words?: string
  readonly sql?: string
  /** The values that stand for `?` or `$1` in it. */
  readonly parameters?: readonly unknown[]
}

const gates = ['canSee', 'canStore', 'canUpdate'] as const

/** Users that are asked about, besides a guest: those who came first. */
const sampleSize = 4

/** Development: what each policy answers a guest and some users, in the order of the users. */
export async function policiesReport({
  repositories,
  users,
}: {
  readonly repositories: readonly HasEntity[]
  readonly users: SampleUsers | null
}) {
  const samples = [null, ...(users === null ? [] : await firstOf(users))]
  const entities = repositories.map(({ definition }) => definition)
  return {
    users: samples.map((user) => ({
      id: user === null ? null : String(user['id']),
      name: user === null ? 'guest' : nameOf(user, users?.entity.title),
    })),
    repositories: await Promise.all(entities.map((entity) => reportOf(entity, samples))),
  }
}

/** They are rows of the users' table: objects. */
async function firstOf({ entity, where }: SampleUsers): Promise<readonly Row[]> {
  const first = sql`select ${id('id')} from ${id(entity.table)} order by ${id('id')} limit ${raw(String(sampleSize))}`
  return (await where(sql`u.id in (${first})`)) as readonly Row[]
}

const nameOf = (user: Row, title = 'name'): string =>
  String(user[title] ?? user['email'] ?? `user ${String(user['id'])}`)

async function reportOf(entity: Entity, users: readonly (Row | null)[]) {
  const { key, policy } = entity
  const asked = questions.filter((question) => policy[question] !== undefined)
  const methods = asked.map(async (method) => ({
    method,
    answers: await Promise.all(users.map((user) => answerOf(entity, method, user))),
  }))
  const gated = gates.flatMap((gate) =>
    Object.keys(policy[gate] ?? {}).map((field) => ({
      method: `${gate}.${field}`,
      answers: users.map((user): Answer => {
        return { answers: passes(policy[gate], field, user) ? 'yes' : 'no' }
      }),
    })),
  )
  // These are asked of two records, so there is no answer before there are any.
  const perRecord = Object.keys(policy).filter((name) => /^(attach|detach|sync)/.test(name))
  return { key, methods: [...(await Promise.all(methods)), ...gated], perRecord }
}

async function answerOf(entity: Entity, method: Question, user: Row | null): Promise<Answer> {
  try {
    const answer = await entity.policy[method]?.(user)
    const tested = answerTest(entity, answer, entity.table)
    if (typeof tested === 'boolean' || tested === null) return { answers: tested ? 'yes' : 'no' }
    if (!tested.mayHold) return { answers: 'no', words: conditionWords(entity, answer) }
    const { text, parameters } = compile(tested.sql, entity.dialect)
    return { answers: 'when', words: conditionWords(entity, answer), sql: text, parameters }
  } catch (error) {
    return { answers: 'error', words: error instanceof Error ? error.message : String(error) }
  }
}
