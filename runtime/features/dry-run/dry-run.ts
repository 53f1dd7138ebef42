import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, MiddlewareHandler } from 'hono'
import type { Connection, Database } from '../../database/types.js'
import {
  type Answered,
  type AroundWrites,
  forgetAnswer,
  forgetRecord,
} from '../../http/around-writes.js'
import { appendHeader, outgoingOf, type Served } from '../../http/context.js'
import { jsonText } from '../../http/json-text.js'
import { parametersOf } from '../../http/request.js'
import type { Extension } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { badParameter } from '../../query/query.js'
import { inOneTransaction } from '../transactions/one-transaction.js'
import { type Affected, countAffected } from './affected.js'
import { bound, isBounded, mostAffected, requireAtMost } from './max-affected.js'

const name = 'dryRun'

interface DryRunOptions {
  readonly database: Database
  /** Tables whose rows are counted. */
  readonly tables: readonly string[]
}

/**
 * With `?dryRun=true` a request that writes does all that it does, and then it is rolled back. The
 * answer is 200 with `meta.affected`, or the error that the request would have had. After-hooks do
 * not run. With `Prefer: max-affected=20` it writes at most 20 rows, or none: 409.
 *
 * @example api.use('/reorder', aroundWrites([dryRun])) // after what says who asks
 */
export const dryRuns = (options: DryRunOptions): AroundWrites => ({
  understood: [{ in: 'query', name }, bound],
  isAsked: (c) => isNamed(c) || isBounded(c),
  isAlone: isTrue,
  around: (c, work, place) => {
    const most = mostAffected(c)
    if (isTrue(c))
      return applied(
        c,
        most,
        rolledBack(c, () => tried(options, most, work), place),
      )
    return most === null ? work() : applied(c, most, bounded(options, most, work))
  },
})

/** For routes that cannot take back what they do: 400. */
export const noDryRun: MiddlewareHandler<Served> = (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (!isRead && parametersOf(c.req.url).has(name)) {
    throw badParameter(name, 'cannot be honoured: what is done here cannot be taken back')
  }
  return next()
}

/** Adds to the context of hooks in every repository. */
export interface DryRunOfHook {
  /** True if all that is written is rolled back. */
  readonly isDryRun: boolean
}

/** For repositories with hooks; those inside the transaction know more of the request. */
export const dryRunForHooks: Extension = {
  context: (): DryRunOfHook => ({ isDryRun: dry.getStore() === true }),
}

const dry = new AsyncLocalStorage<true>()

const isNamed = ({ req }: Context): boolean =>
  req.url.includes('?') && parametersOf(req.url).has(name)

function isTrue(c: Context): boolean {
  if (!isNamed(c)) return false
  const [text, ...more] = parametersOf(c.req.url).getAll(name)
  if (more.length > 0) throw badParameter(name, 'is given more than once')
  if (text !== 'true' && text !== 'false') throw badParameter(name, 'must be true or false')
  return text === 'true'
}

async function rolledBack(
  c: Context,
  work: () => Promise<Counted>,
  place: 'meta' | 'extensions',
): Promise<Answered> {
  const { answered, affected } = await dry.run(true, work)
  if (!answered.isDone) return answered
  forgetRecord(c)
  return { response: await toldOf(c, answered.response, affected, place), isDone: true }
}

/** RFC 7240: says that what was done is no more than that. */
async function applied(
  c: Context,
  most: number | null,
  work: Promise<Answered>,
): Promise<Answered> {
  const answered = await work.catch((error: unknown) => {
    forgetAnswer(c)
    throw error
  })
  if (most === null || !answered.isDone) return answered
  const [name, value] = ['Preference-Applied', `max-affected=${most}`] as const
  // Headers of the answer win over those of Node's response.
  if (outgoingOf(c) === undefined) answered.response.headers.append(name, value)
  else appendHeader(c, name, value)
  return answered
}

async function bounded(
  { database, tables }: DryRunOptions,
  most: number,
  work: () => Promise<Answered>,
): Promise<Answered> {
  try {
    return await inOneTransaction(database, 'a request with max-affected', async (connection) => {
      const { answered } = await counted(connection, tables, most, work)
      if (!answered.isDone) throw new Undone({ answered, affected: null })
      return answered
    })
  } catch (error) {
    if (error instanceof Undone) return error.counted.answered
    throw error
  }
}

/** Done, counted, and rolled back. */
async function tried(
  { database, tables }: DryRunOptions,
  most: number | null,
  work: () => Promise<Answered>,
): Promise<Counted> {
  try {
    return await inOneTransaction(database, 'a dry run', async (connection) => {
      throw new Undone(await counted(connection, tables, most, work))
    })
  } catch (error) {
    if (error instanceof Undone) return error.counted
    throw error
  }
}

interface Counted {
  readonly answered: Answered
  readonly affected: Affected
}

async function counted(
  connection: Connection,
  tables: readonly string[],
  most: number | null,
  work: () => Promise<Answered>,
): Promise<Counted> {
  const count = await countAffected(connection, tables)
  const answered = await work()
  if (!answered.isDone) return { answered, affected: null }
  const affected = await count()
  if (most !== null) requireAtMost(most, affected)
  return { answered, affected }
}

/** Takes back what was done, and says what that was. */
class Undone extends Error {
  constructor(readonly counted: Counted) {
    super('rolled back')
  }
}

/** The answer that there would have been, and what would have been done. */
async function toldOf(
  c: Context,
  response: Response,
  affected: Affected,
  place: 'meta' | 'extensions',
): Promise<Response> {
  const text = await response.text()
  const answer: unknown = text === '' ? {} : JSON.parse(text)
  const body: Record<string, unknown> = isRecord(answer) ? answer : { data: answer }
  const known = isRecord(body[place]) ? body[place] : {}
  body[place] = Object.assign({}, known, { dryRun: true, affected })
  const type = response.headers.get('Content-Type') ?? 'application/json'
  return c.newResponse(jsonText(body) ?? '', 200, { 'Content-Type': type })
}
