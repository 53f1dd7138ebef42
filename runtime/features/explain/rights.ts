/** Explains rights on the page of the API and in denied answers, in development. */

import type { Context } from 'hono'
import type { HasEntity, Row } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { whyLines } from './lines.js'
import { findingIn, ownOperations } from './own-operations.js'
import { readRequest } from './read-request.js'
import { personOf, userCalled, type Users } from './users.js'
import { type Asker, type Question, Unanswerable, type Why } from './why-types.js'
import { whyRecord } from './why.js'

export interface Asked {
  readonly repositories: readonly HasEntity[]
  readonly users: Users | null
}

interface Right {
  readonly operation: string
  readonly answer: 'yes' | 'no'
  readonly text: string
}

/** The rights of a record, each with its reason; what the user may not see is not in it. */
export async function rightsOf(
  { repositories, users }: Asked,
  key: string,
  id: string,
  name: string,
): Promise<{ readonly rights: readonly Right[] } | { readonly problem: string }> {
  const entity = repositories.find(({ definition }) => definition.key === key)?.definition
  if (entity === undefined) return { problem: 'There is no such repository.' }
  try {
    const user = await userCalled(users, name)
    const asked = { entity, user, id, audience: 'asker' } as const
    const person = personOf(users, user)
    const own = ownOperations(entity).map((each) => each.name)
    const operations = ['show', 'update', 'delete', 'store', ...own]
    return { rights: await Promise.all(operations.map((each) => rightOf(asked, each, person))) }
  } catch (error) {
    if (error instanceof Unanswerable) return { problem: error.message }
    throw error
  }
}

/** A policy may throw: then that is what is told of it. */
async function rightOf(
  asked: Omit<Question, 'operation'>,
  operation: string,
  person: Why['user'],
): Promise<Right> {
  try {
    const why = await whyRecord(Object.assign({}, asked, { operation }), person)
    return { operation, answer: why.answer, text: whyLines(why).join('\n') }
  } catch (error) {
    const text = `It fails: ${error instanceof Error ? error.message : String(error)}`
    return { operation, answer: 'no', text }
  }
}

/** The body of a denied answer, with `why`; null: it is about no record that is there. */
export async function withWhy(
  { repositories, users }: Asked,
  c: Context,
  user: Asker,
  sent: unknown,
): Promise<object | null> {
  const read = readRequest(repositories, c.req.method, c.req.url)
  if (read === null || read.operation === 'index') return null
  const { entity, operation, id, isWhole } = read
  const body = isRecord(sent) ? { body: sent as Row } : {}
  const { searchParams } = new URL(c.req.url)
  const how = operation === 'show' ? { finding: findingIn(searchParams) } : {}
  const asked = {
    entity,
    operation,
    id,
    isWhole,
    user,
    audience: 'asker',
    ...body,
    ...how,
  } as const
  const why = await whyRecord(asked, personOf(users, user))
  if (why.isThere === false || why.status !== c.res.status) return null
  const answer: unknown = await c.res.clone().json()
  return isRecord(answer) ? Object.assign({}, answer, { why: shortOf(why) }) : null
}

const shortOf = (why: Why) => ({
  sentence: why.sentence,
  text: whyLines(why),
  steps: why.steps,
})
