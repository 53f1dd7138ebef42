import type { Context, MiddlewareHandler } from 'hono'
import { UnavailableError } from '../database/unavailable.js'
import { badRequest } from '../errors.js'
import type { PartOfRequest } from '../model/exchange.js'
import { headerOf } from '../query/request-parts.js'
import { isRead, outgoingOf, type Served } from './context.js'
import { onlyForWrites } from './direct.js'

/** A feature runs this around requests that write, whatever they do. */
export interface AroundWrites {
  /** Parts of the request that it reads: no repository has to understand them. */
  readonly understood: readonly PartOfRequest[]
  isAsked(c: Context): boolean
  /** Returns true if the others do nothing then: what is taken back has no answer to keep. */
  isAlone?(c: Context): boolean
  around(c: Context, work: () => Promise<Answered>, place: Place): Promise<Answered>
}

/** The member of an answer for what is said besides. */
type Place = 'meta' | 'extensions'

export interface Answered {
  readonly response: Response
  /** True if it did what was asked. */
  readonly isDone: boolean
}

/**
 * For resources and for routes of yours: put it before `onlyUnderstood`, and after the middleware
 * that finds the user.
 */
export function aroundWrites(all: readonly AroundWrites[]): MiddlewareHandler<Served> {
  const understood = all.flatMap((each) => each.understood)
  const handler: MiddlewareHandler<Served> = async (c, next) => {
    if (isRead(c) || c.req.method === 'OPTIONS') return next()
    c.set('around', understood)
    const asked = askedOf(all, c)
    if (asked.length === 0) return next()
    let isBegun = false
    const work = async () => {
      // Hono runs what follows once; PostgreSQL may ask for a transaction anew.
      if (isBegun) throw new UnavailableError('The transaction cannot be begun anew.')
      isBegun = true
      await next()
      return { response: c.res, isDone: c.res.status < 400 }
    }
    const { response } = await inside(asked, c, work, 'meta')
    if (response !== c.res) replace(c, response)
  }
  return onlyForWrites(handler, understood.map(headerOf), (request) =>
    request.set('around', understood),
  )
}

/** For `createGraphql`: the same of a request with one mutation; of several, one might be done and others not. */
export const aroundMutation = (all: readonly AroundWrites[]) => ({
  understood: all.flatMap((each) => each.understood),
  async answer(c: Context, isOne: boolean, work: () => Promise<Answered>): Promise<Response> {
    const asked = askedOf(all, c)
    if (asked.length > 0 && !isOne) throw badRequest(severalMutations(asked))
    return (await inside(asked, c, work, 'extensions')).response
  },
})

const severalMutations = (asked: readonly AroundWrites[]) => {
  const names = asked.flatMap(({ understood }) => understood.map(({ name }) => name))
  return `${names.join(', ')} goes with one mutation: send the others alone. Nothing was done.`
}

function askedOf(all: readonly AroundWrites[], c: Context): readonly AroundWrites[] {
  const asked = all.filter((each) => each.isAsked(c))
  const alone = asked.find((each) => each.isAlone?.(c) === true)
  return alone === undefined ? asked : [alone]
}

/** The first is outermost. */
function inside(
  all: readonly AroundWrites[],
  c: Context,
  work: () => Promise<Answered>,
  place: Place,
): Promise<Answered> {
  return all.reduceRight((inner, each) => () => each.around(c, inner, place), work)()
}

/** Headers that tell of a record which was written. */
const ofRecord = ['Location', 'ETag'] as const

/** With what tells how it was answered. */
const saidOfAnswer = [...ofRecord, 'Preference-Applied'] as const

/** Takes back what was said of a record that is not there after all. */
export function forgetRecord(c: Context): void {
  forget(c, ofRecord)
}

/** Takes back all that was said before it failed: no preference was applied. */
export function forgetAnswer(c: Context): void {
  forget(c, saidOfAnswer)
}

function forget(c: Context, names: readonly string[]): void {
  const outgoing = outgoingOf(c)
  for (const name of names) {
    if (outgoing === undefined) c.header(name, undefined)
    else if (!outgoing.headersSent) outgoing.removeHeader(name)
  }
}

/** Collects the headers about the record, and about the form of its answer. */
export function aboutRecord(c: Context, { headers }: Response): Readonly<Record<string, string>> {
  const outgoing = outgoingOf(c)
  const said = saidOfAnswer.flatMap((name) => {
    const value = headers.get(name) ?? outgoing?.getHeader(name)
    if (value === undefined) return []
    return [[name, Array.isArray(value) ? value.join(', ') : String(value)] as const]
  })
  return Object.fromEntries(said)
}

/** Without the headers of the one before, which Hono would give it. */
function replace(c: Context, response: Response): void {
  c.res = undefined
  c.res = response
}
