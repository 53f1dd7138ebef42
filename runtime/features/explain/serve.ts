/** Run by `svc` as a process of its own, beside the project's code: answers its questions one by one. */

import type { Database } from '../../database/types.js'
import type { HasEntity } from '../../model/entity.js'
import { PolicyMistake } from '../../policy/policy-mistake.js'
import { answerWhy, type AskedProject, type AskedWhy, repositoryCalled } from './answer.js'
import { comparisonLines, comparisonMarkdown } from './compare-lines.js'
import { comparePolicies } from './compare.js'
import { whyLines } from './lines.js'
import { listLines } from './list-lines.js'
import { ownOperations } from './own-operations.js'
import { located, type Places } from './places.js'
import type { Roles } from './users-of-roles.js'
import { whoLines } from './who-lines.js'
import { type Course, whoMay, type WhoQuestion } from './who.js'
import { Unanswerable } from './why-types.js'

interface Served extends AskedProject {
  readonly database: Database
  /** As a Git ref has them; empty: nothing is compared. */
  readonly before: readonly HasEntity[]
  /** The places of policies' rules, as svc read them. */
  readonly places: Places
  /** The roles of `tests/roles.ts`; null: they are not asked for, or there are none. */
  readonly roles: Roles | null
}

interface AskedWho extends Omit<WhoQuestion, 'entity' | 'users'> {
  readonly repository: string
  readonly isColored: boolean
}

/** The questions, by name. */
interface Questions {
  readonly why: AskedWhy & { readonly isColored: boolean }
  readonly who: AskedWho
  readonly diff: AskedDiff
}

interface AskedDiff {
  readonly users: readonly string[]
  readonly isMarkdown: boolean
  readonly isColored: boolean
}

type Message = {
  readonly [Name in keyof Questions]: { readonly name: Name; readonly input: Questions[Name] }
}[keyof Questions]

/** Answers what it is sent until svc lets go of it; Ctrl-C ends a long answer with what is known. */
export function serveExplain(project: Served): void {
  let isStopped = false
  const course: Course = {
    tell: (asked, of) => process.send?.({ kind: 'line', line: `${asked} of ${of} users` }),
    isStopped: () => isStopped,
  }
  process.on('SIGINT', () => (isStopped = true))
  process.on('message', (message: Message) => {
    void orCannot(() => answer(project, message, course)).then((value) =>
      process.send?.({ kind: 'answer', value }),
    )
  })
  process.on('disconnect', () => void project.database.close().then(() => process.exit()))
}

/** Answers that a question cannot be asked; any other error ends the process with its stack. */
async function orCannot(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    const isSaid = error instanceof Unanswerable || error instanceof PolicyMistake
    if (isSaid) return { cannot: error.message }
    if (!isOfDatabase(error)) throw error
    return {
      cannot: `The database cannot answer: ${error.message}\n  fix    svc migrate, where a migration is not applied`,
    }
  }
}

/** SQLite's codes are words, PostgreSQL's five letters and digits. */
const isOfDatabase = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^(SQLITE_\w+|[\dA-Z]{5})$/.test(String(error.code))

function answer(project: Served, message: Message, course: Course): Promise<object> {
  if (message.name === 'why') return sayWhy(project, message.input)
  if (message.name === 'who') return sayWho(project, message.input, course)
  return sayDiff(project, message.input)
}

async function sayDiff(project: Served, input: AskedDiff): Promise<object> {
  const { before, repositories, users, roles } = project
  const found = await comparePolicies(before, repositories, users, input.users, roles)
  const { isMarkdown, isColored } = input
  const lines = isMarkdown ? comparisonMarkdown(found) : comparisonLines(found, isColored)
  return { answer: found.differences.length > 0 ? 'yes' : 'no', lines, json: found }
}

async function sayWhy(project: Served, input: Questions['why']): Promise<object> {
  const found = await answerWhy(project, input)
  if (found.kind === 'unanswerable') return { cannot: found.message }
  const { isColored } = input
  if (found.kind === 'list') {
    return { answer: found.why.answer, lines: listLines(found.why, isColored), json: found.why }
  }
  const why = located(found.why, project.places)
  return { answer: why.answer, lines: whyLines(why, isColored), json: why }
}

async function sayWho(project: Served, input: AskedWho, course: Course): Promise<object> {
  const { repository, operation } = input
  const entity = repositoryCalled(project, repository)
  const own = ownOperations(entity).map(({ name }) => name)
  const known = ['show', 'update', 'delete', ...own]
  if (!known.includes(operation)) {
    throw new Unanswerable(`Who may is asked of a record with ${known.join(', ')}.`)
  }
  const who = await whoMay(Object.assign({}, input, { entity, users: project.users }), course)
  const answer = who.count > 0 ? 'yes' : 'no'
  return { answer, lines: whoLines(who, input.isColored), json: who }
}
