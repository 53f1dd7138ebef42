import { METHODS } from 'node:http'
import { type Context, Hono, type Next } from 'hono'
import { badRequest, HttpError } from '../../errors.js'
import type { ServerEnv } from '../../http/context.js'
import { onlyMethods } from '../../http/only-methods.js'
import { callerOf, parametersOf, readBody } from '../../http/request.js'
import { paginated } from '../../http/respond.js'
import type { Input } from '../../input/validation.js'
import { isRounded } from '../../kinds/decimal.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Entity } from '../../model/entity.js'
import { getOwn, isRecord } from '../../model/get-own.js'
import { nearest } from '../../model/nearest.js'
import type { IndexQuery } from '../../model/queries.js'
import type { AnyRepository } from '../../operations/repository-type.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { passes } from '../../policy/gates.js'
import { filtersOf, partsOf, parametersOf as wordsRead } from '../../query/extension-parameters.js'
import { listWords, parseIndexQuery, recordWords } from '../../query/parse-query.js'
import { badParameter } from '../../query/query.js'
import { bodyParameters } from './body-parameters.js'

/**
 * `POST /search`: a page of the list that is asked in the body, `{ "where": {}, "sort": ["-price"] }`.
 * Where this Node reads the method, `QUERY /` is the same. Both are behind `onlyReads`.
 *
 * @param before What stands before the index, too, and may answer in its place.
 */
export function searchRoutes(repository: AnyRepository, ...before: readonly Before[]) {
  const read = (c: Asked) => readSearch(c, repository.definition)
  const page = async (c: Asked) =>
    paginated(c, await repository.index(c.get('user'), await read(c)))
  const first = before.map((each) => (c: Asked, next: Next) => each(c, next, read))
  const routes = new Hono<ServerEnv<unknown>>()
  routes.use('/search', onlyMethods(repository, 'search', ['POST']))
  routes.on('POST', ['/search'], asRead, ...first, page)
  return METHODS.includes('QUERY') ? routes.on('QUERY', ['/'], asRead, ...first, page) : routes
}

type Asked = Context<ServerEnv<unknown>>

const asRead = (c: Asked, next: Next) => {
  c.set('onlyReads', true)
  return next()
}

/** Asks `read` for what the body asks. */
type Before = (
  c: Asked,
  next: Next,
  read: (c: Asked) => Promise<IndexQuery>,
) => Promise<Response | void>

async function readSearch(c: Asked, entity: Entity): Promise<IndexQuery> {
  const [name] = parametersOf(c.req.url).keys()
  if (name !== undefined) {
    throw badParameter(name, 'is not taken in this address: its body has all parameters')
  }
  const { where, ...others }: Input = await bodyOf(c)
  const words = wordsOf(entity)
  const sent = bodyParameters(others, {
    isWord: (each) => words.has(each),
    inexact: (each, value) => inexact(entity, c.get('user'), each, value),
    textOf: (each, value) => textOf(entity, c.get('user'), each, value),
  })
  checkNames(others, entity, c.get('user'))
  const asked = (where ?? null) === null ? undefined : { where }
  const inBody = true as const
  return Object.assign(parseIndexQuery(sent), { asked, inBody, caller: callerOf(c) })
}

/** With strict queries, what is nearly `where` is that; below it, it would not be like any name there is. */
function checkNames(body: Input, entity: Entity, user: unknown): void {
  const name = Object.keys(body).find(
    (each) =>
      isRecord(body[each]) &&
      nearest(each, ['where']) !== undefined &&
      !isColumn(entity, user, each),
  )
  if (name === undefined || entity.settings.strict === null) return
  throw badParameter(name, "is not known: 'where' is")
}

/** A body that a write answers with 422 is a parameter here: 400. */
async function bodyOf(c: Asked): Promise<Input> {
  try {
    return await readBody(c)
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error
    throw badRequest(error.message, error.errors)
  }
}

/** Names of lists that have a meaning of their own. */
const wordsOf = ({ extensions }: Entity): ReadonlySet<string> =>
  new Set([
    ...listWords,
    ...recordWords,
    ...wordsRead({ extensions }, 'list').map(({ name }) => name),
    ...partsOf({ extensions }, 'list').flatMap(({ names }) => names),
  ])

/** A feature may take an object where an address has text. */
function textOf(entity: Entity, user: unknown, name: string, value: unknown): string | null {
  for (const filter of filtersOf(entity.extensions)) {
    if (filter.textOf === undefined) continue
    const text = filter.textOf(accessTo(newRequest(user), entity), name, value)
    if (text !== null) return text
  }
  return null
}

/** A number of JSON keeps 15 digits or so: with more, it may be another one by now. */
function inexact(entity: Entity, user: unknown, name: string, value: number): string | null {
  const [, filtered, plain = ''] = /^(?:filter\[-?([^[\]]+)|-?([^[\]]+))/.exec(name) ?? []
  const column = filtered ?? plain
  const isLost = Number.isInteger(value) && !Number.isSafeInteger(value)
  const isDecimal = isColumn(entity, user, column) && columnNamed(entity, column).kind === 'decimal'
  if (!isLost && !(isDecimal && isRounded(value))) return null
  return 'must be a text: a number of so many digits may have lost some'
}

/** Returns true if this user may match by a column of that name. */
const isColumn = (entity: Entity, user: unknown, name: string): boolean =>
  getOwn(entity.match?.types, name) !== undefined && passes(entity.policy.canSee, name, user)
