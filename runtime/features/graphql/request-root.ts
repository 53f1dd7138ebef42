import { setImmediate as pause } from 'node:timers/promises'
import type { Caller } from '../../database/caller.js'
import { Budget } from '../../model/budget.js'
import type { Settings } from '../../model/entity.js'
import { limitError } from './limits.js'

/** State that the fields of one request share: `info.rootValue` of every resolver. */
export class RequestRoot {
  /** By the key they are answered under: root fields whose resolver has run. */
  readonly answers = new Map<string, unknown>()
  #last: Promise<unknown> | null = null

  constructor(
    readonly budget: Budget,
    /** On SQLite a statement stops the process: others are served between two fields. */
    readonly takesTurns: boolean,
  ) {}

  answer(ask: () => unknown): unknown {
    if (!this.takesTurns) return ask()
    const answer = this.#last === null ? ask() : this.#last.then(pause).then(ask)
    this.#last = Promise.resolve(answer).catch(() => {})
    return answer
  }
}

/** Related records are counted for the whole request, however many fields ask for them. */
export function requestRoot(
  limits: Pick<Settings, 'maxRelated' | 'maxResponse'>,
  caller: Caller,
  takesTurns: boolean,
): RequestRoot {
  return new RequestRoot(new Budget(limits, caller, tooMany), takesTurns)
}

function tooMany(limit: number): Error {
  const advice = 'use a smaller first, or fewer levels'
  return limitError(`The query asks for more than ${limit} related records: ${advice}.`, 'related')
}

/** Returns the rest of the budget; undefined where something else executes the schema. */
export function sharedBudget(rootValue: unknown): Budget | undefined {
  return rootValue instanceof RequestRoot ? rootValue.budget : undefined
}

/** Returns the answer of a root field's resolver, which runs once, whoever executes the query. */
export function answerOnce(rootValue: unknown, key: string, ask: () => unknown): unknown {
  if (!(rootValue instanceof RequestRoot)) return ask()
  const { answers } = rootValue
  if (!answers.has(key)) answers.set(key, rootValue.answer(ask))
  return answers.get(key)
}
