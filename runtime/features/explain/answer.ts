/** Answers `svc why` in a project; no server imports it. */

import { HttpError } from '../../errors.js'
import type { Entity, HasEntity, Row } from '../../model/entity.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { PolicyMistake } from '../../policy/policy-mistake.js'
import { below } from '../relations/nested.js'
import { findingIn, ownOperations } from './own-operations.js'
import { readRequest } from './read-request.js'
import { harmless } from './shown-value.js'
import { personOf, userCalled, type Users } from './users.js'
import { denied, whyList, type WhyList } from './why-list.js'
import { pivotMethods, pivotQuestion, whyPivot } from './why-pivot.js'
import { type Question, Unanswerable, type Why } from './why-types.js'
import { whyRecord } from './why.js'

export interface AskedProject {
  readonly repositories: readonly HasEntity[]
  /** The users to sign in as; null: there is no auth repository. */
  readonly users: Users | null
}

/** The words of a command line. */
export interface AskedWhy {
  /** A repository, or `GET /api/svc/posts?…`. */
  readonly about: string
  readonly id: string
  readonly user: string
  readonly operation: string
  readonly body: Row | null
  readonly field: string | null
}

export type Answered =
  | { readonly kind: 'record'; readonly why: Why }
  | { readonly kind: 'list'; readonly why: WhyList }
  | { readonly kind: 'unanswerable'; readonly message: string }

export async function answerWhy(project: AskedProject, asked: AskedWhy): Promise<Answered> {
  try {
    const request = /^([A-Z]+)\s+(\S.*)$/.exec(asked.about)
    if (request !== null) return await ofRequest(project, request[1] ?? '', request[2] ?? '', asked)
    const entity = repositoryCalled(project, asked.about)
    return await ofRecord(project, questionOf(entity, asked), asked.user)
  } catch (error) {
    const isSaid = error instanceof Unanswerable || error instanceof PolicyMistake
    if (isSaid) return { kind: 'unanswerable', message: error.message }
    if (error instanceof HttpError) return { kind: 'unanswerable', message: error.message }
    throw error
  }
}

export function repositoryCalled({ repositories }: AskedProject, key: string): Entity {
  const found = repositories.find(({ definition }) => definition.key === key)
  if (found !== undefined) return found.definition
  const known = repositories.map(({ definition }) => definition.key).join(', ')
  throw new Unanswerable(`There is no repository '${harmless(key)}'; there are ${known}.`)
}

/** Operations whose rules are conditions. */
const recordOperations = ['show', 'store', 'update', 'delete']

type Unasked = Omit<Question, 'user'>

function questionOf(entity: Entity, { id, operation, body, field }: AskedWhy): Unasked {
  const own = ownOperations(entity).map(({ name }) => name)
  const known = [...recordOperations, ...own, ...pivotMethods({ entity })]
  if (!known.includes(operation)) {
    throw new Unanswerable(
      `${entity.key} have no operation '${harmless(operation)}'; there are ${known.join(', ')}.`,
    )
  }
  return {
    entity,
    operation,
    id: operation === 'store' ? null : id,
    audience: 'command',
    ...(body === null ? {} : { body }),
    ...(field === null ? {} : { field }),
  }
}

async function ofRecord(project: AskedProject, asked: Unasked, name: string): Promise<Answered> {
  const user = await userCalled(project.users, name)
  const question = Object.assign({}, asked, { user })
  const person = personOf(project.users, user)
  const pivot = pivotQuestion(question)
  const why =
    pivot === undefined
      ? await whyRecord(question, person)
      : await whyPivot(question, pivot, person)
  return { kind: 'record', why }
}

/** A request as a client sends it: of a list, of a record, or of a list below a record. */
async function ofRequest(
  project: AskedProject,
  method: string,
  target: string,
  asked: AskedWhy,
): Promise<Answered> {
  const read = readRequest(project.repositories, method, target)
  if (read === null) {
    const path = harmless(target)
    throw new Unanswerable(
      `${method} ${path} is of no list and no record of a repository: ask about /api/svc/posts, or /api/svc/posts/7.`,
    )
  }
  const { entity, id, relation, operation } = read
  const { searchParams } = new URL(target, 'http://server')
  if (operation !== 'index') {
    const said = Object.assign({}, asked, { id: id ?? '', operation })
    const { isWhole } = read
    const how = operation === 'show' ? { finding: findingIn(searchParams) } : {}
    const question = Object.assign(questionOf(entity, said), { isWhole }, how)
    return ofRecord(project, question, asked.user)
  }
  const user = await userCalled(project.users, asked.user)
  const person = personOf(project.users, user)
  const access = accessTo(newRequest(user), entity)
  const request = `${method} ${target}`
  if (user === null && entity.settings.requiresToken && entity.isPublic !== true) {
    const about = { request: harmless(request), repository: entity.key, user: null }
    const sentence = `No: without a token, ${entity.key} answer 401.`
    return { kind: 'list', why: denied(about, 401, sentence) }
  }
  if (relation === null) {
    return { kind: 'list', why: await whyList(access, request, searchParams, person) }
  }
  const parent: Question = { entity, user, operation: 'show', id, audience: 'command' }
  const above = await whyRecord(parent, person)
  if (above.answer === 'no') return { kind: 'record', why: above }
  const { access: within } = await below(access, id ?? '', relation)
  return { kind: 'list', why: await whyList(within, request, searchParams, person) }
}
