import type { Budget } from '../../query/query.js'
import { limitError } from './limits.js'

/** What the fields of one request share: `info.rootValue` of every resolver. */
class RequestRoot {
  /** By the key they are answered under: root fields whose resolver has run. */
  readonly answers = new Map<string, unknown>()
  constructor(readonly budget: Budget) {}
}

/** Related records are counted for the whole request, however many fields ask for them. */
export function requestRoot(maxRelated: number): object {
  return new RequestRoot({ left: maxRelated, exceeded: () => tooMany(maxRelated) })
}

function tooMany(limit: number): Error {
  const advice = 'use a smaller first, or fewer levels'
  return limitError(`The query asks for more than ${limit} related records: ${advice}.`, 'related')
}

/** What is left of it; undefined where something else executes the schema. */
export function sharedBudget(rootValue: unknown): Budget | undefined {
  return rootValue instanceof RequestRoot ? rootValue.budget : undefined
}

/** What the resolver of a root field answers; it runs once, whoever executes the query. */
export function answerOnce(rootValue: unknown, key: string, ask: () => unknown): unknown {
  if (!(rootValue instanceof RequestRoot)) return ask()
  const { answers } = rootValue
  if (!answers.has(key)) answers.set(key, ask())
  return answers.get(key)
}
