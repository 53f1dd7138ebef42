import { type Context, Hono } from 'hono'
import { badRequest, invalid, notFound } from '../../errors.js'
import { onError } from '../../http/answers.js'
import type { ServerEnv } from '../../http/context.js'
import { writeOptions } from '../../http/exchange.js'
import { onlyMethods } from '../../http/only-methods.js'
import { around } from '../../http/only-understood.js'
import { callerOf, parametersOf, readJsonWithin } from '../../http/request.js'
import { noContent, respondWith } from '../../http/respond.js'
import { sentence, worded } from '../../input/messages.js'
import type { HasEntity } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { parseIndexQuery } from '../../query/parse-query.js'
import { badParameter } from '../../query/query.js'
import { refuseHeadersOfOne } from '../bulk/about-many.js'
import { idsOf } from '../bulk/records.js'
import { actionNamed, declaredOf, type DeclaredAction } from './actions.js'
import {
  getOfNone,
  getOfOne,
  listActions,
  listActionsOfOne,
  listGetters,
  listGettersOfOne,
} from './getters.js'
import { runOnAll, type Processed } from './run-all.js'
import { runOnMany, runOnNone, runOnOne } from './run.js'

type Asked = Context<ServerEnv<unknown>>

/**
 * Actions and getters of a repository. `POST /actions/publish` takes `{ "ids": [], "input": {} }`, where
 * `"ids": "all"` are those that the filters of the list find; `POST /:id/actions/publish` takes
 * `{ "input": {} }`. `GET /actions` and `GET /:id/actions` list them, `GET /getters` the others. What an action returns is 200
 * `{ data }`, nothing is 204. `POST /actions?action=publish` (and `/action`) with `repositories` is an alias.
 */
export function actionRoutes(repository: HasEntity) {
  const { actions, getters } = declaredOf(repository.definition)
  const routes = new Hono<ServerEnv<unknown>>()
  if (Object.keys(actions).length > 0) {
    routes.use('/actions', onlyMethods(repository, 'actions', ['GET', 'POST']))
    routes.get('/actions', async (c) =>
      respondWith(c, { data: await listActions(repository, c.get('user')) }),
    )
    routes.get('/:id/actions', async (c) => {
      const { id } = c.req.param()
      return respondWith(c, { data: await listActionsOfOne(repository, c.get('user'), id) })
    })
    // Middleware, because these are other addresses of routes that svc lists.
    for (const word of ['action', 'actions']) {
      routes.use(`/${word}`, (c, next) =>
        c.req.method === 'POST' ? run(repository, c, aliasOf(c)) : next(),
      )
      routes.use(`/:id/${word}`, (c, next) =>
        c.req.method === 'POST' ? runOne(repository, c, aliasOf(c)) : next(),
      )
    }
  }
  for (const [name, { on }] of Object.entries(actions)) {
    if (on !== 'one') routes.post(`/actions/${name}`, (c) => run(repository, c, name))
    if (on !== 'none') routes.post(`/:id/actions/${name}`, (c) => runOne(repository, c, name))
  }
  // Else the addresses of relations below a record would answer that they take other methods.
  routes.use('/:id/actions/:action', (c, next) => {
    if (c.req.method === 'POST') throw notFound()
    return next()
  })
  if (Object.keys(getters).length > 0) {
    routes.use('/getters', onlyMethods(repository, 'getters', ['GET']))
    routes.get('/getters', async (c) =>
      respondWith(c, { data: await listGetters(repository, c.get('user')) }),
    )
    routes.get('/:id/getters', async (c) => {
      const { id } = c.req.param()
      return respondWith(c, { data: await listGettersOfOne(repository, c.get('user'), id) })
    })
  }
  for (const [name, { on }] of Object.entries(getters)) {
    const address = on === 'one' ? `/:id/getters/${name}` : `/getters/${name}`
    routes.get(address, async (c) => {
      const id = c.req.param('id')
      const user: unknown = c.get('user')
      const data =
        id === undefined
          ? await getOfNone(repository, user, name)
          : await getOfOne(repository, user, name, id)
      return respondWith(c, { data: data ?? null })
    })
  }
  return routes
}

const alias = 'action'

/** The action that Restify's address names; 404: there is no such action. */
function aliasOf(c: Asked): string {
  const [name, ...more] = parametersOf(c.req.url).getAll(alias)
  if (more.length > 0) throw badParameter(alias, 'is given more than once')
  if (name === undefined) throw badParameter(alias, 'must be the key of an action')
  return name
}

/** Reads the body of an action; what it says of the records is left to the caller. */
async function readBody(c: Asked, { input = {} }: DeclaredAction, members: readonly string[]) {
  const { limits } = c.get('server').config
  // One that does not say what it is, is 415, as everywhere: it would not be read.
  const body = hasBody(c) ? await readJsonWithin(c, limits.bulk_bytes) : {}
  if (!isRecord(body)) throw badRequest('The request body must be a JSON object.')
  const strange = Object.keys(body).find((name) => !members.includes(name))
  if (strange !== undefined) {
    const text = Object.hasOwn(input, strange)
      ? `Send the ${strange} field in "input".`
      : sentence(strange, worded('is not known', 'notKnown'))
    throw invalid({ [strange]: [text] })
  }
  return body
}

/** Clients send the type of a body that is empty, too. */
function hasBody({ req }: Asked): boolean {
  const length = req.header('content-length')
  if (length !== undefined) return length !== '0'
  return ['content-type', 'transfer-encoding'].some((name) => req.header(name) !== undefined)
}

async function run(repository: HasEntity, c: Asked, name: string): Promise<Response> {
  const { definition } = repository
  const { declared } = actionNamed(definition, name)
  const { on } = declared
  const user: unknown = c.get('user')
  refuseHeadersOfOne(c)
  if (on === 'one') throw notFound()
  if (on === 'none') {
    requireNoParameters(c, [alias])
    const { input } = await readBody(c, declared, ['input'])
    return answer(c, await runOnNone(repository, user, name, input))
  }
  // Restify's word, at its address.
  const word = parametersOf(c.req.url).has(alias) ? 'repositories' : 'ids'
  const known = [word, 'input', ...(takesWhere(repository) ? ['where'] : [])]
  const { [word]: ids, input, where } = await readBody(c, declared, known)
  if (ids === 'all') return runAll(repository, c, name, { input, where })
  if (where !== undefined) throw invalid({ where: [onlyForAll] })
  requireNoParameters(c, [alias])
  const { limits } = c.get('server').config
  const named = idsOf({ ids }, limits.bulk_rows)
  const sent = { ids: named, input }
  return answer(c, await runOnMany(repository, user, name, sent, writeOptions(c)))
}

const onlyForAll = 'The where field is taken with "ids": "all" alone.'

/** Where lists take a tree of comparisons in a body, actions on all records do. */
const takesWhere = ({ definition: { extensions } }: HasEntity): boolean =>
  extensions.some(({ read }) => read?.filter?.owns?.includes('where') === true)

interface AskedOfAll {
  readonly input: unknown
  readonly where: unknown
}

async function runAll(
  repository: HasEntity,
  c: Asked,
  name: string,
  { input, where }: AskedOfAll,
): Promise<Response> {
  const { limits } = c.get('server').config
  const parameters = parametersOf(c.req.url)
  const [after, ...more] = parameters.getAll('after')
  if (more.length > 0) throw badParameter('after', 'is given more than once')
  const others = around(c).flatMap((part) => (part.in === 'query' ? [part.name] : []))
  for (const own of ['after', alias, ...others]) parameters.delete(own)
  const asked =
    where === undefined || where === null ? {} : { asked: { where }, inBody: true as const }
  const query = Object.assign(parseIndexQuery(parameters), asked, { caller: callerOf(c, false) })
  const processed: Processed = { returned: [], count: 0, last: null }
  const options = { most: limits.action_rows, mostTogether: limits.bulk_rows, processed }
  try {
    await runOnAll(repository, c.get('user'), name, { query, input, after }, options)
  } catch (error) {
    if (processed.count === 0) throw error
    return stopped(c, error, processed)
  }
  const { returned, count } = processed
  const data = returned.length === 0 ? {} : { data: returned }
  return respondWith(c, Object.assign(data, { meta: { processed: count } }))
}

/** The error at which it stopped, with what is done and where to go on: `?after=`. */
async function stopped(c: Asked, error: unknown, { count, last }: Processed): Promise<Response> {
  const failed = await onError(error as Error, c)
  const body = (await failed.json()) as object
  const meta = { processed: count, next: last }
  return c.json(Object.assign(body, { meta }), failed.status as 409)
}

async function runOne(repository: HasEntity, c: Asked, name: string): Promise<Response> {
  const { declared } = actionNamed(repository.definition, name)
  if (declared.on === 'none') throw notFound()
  requireNoParameters(c, [alias])
  const id = c.req.param('id') ?? ''
  const { input } = await readBody(c, declared, ['input'])
  const sent = { id, input }
  return answer(c, await runOnOne(repository, c.get('user'), name, sent, writeOptions(c)))
}

/** 400 for parameters that would mean something with `"ids": "all"`, whatever the config says of them. */
function requireNoParameters(c: Asked, own: readonly string[]): void {
  const others = around(c).flatMap((part) => (part.in === 'query' ? [part.name] : []))
  const known = [...own, ...others]
  const name = [...parametersOf(c.req.url).keys()].find((each) => !known.includes(each))
  if (name === undefined) return
  throw badParameter(
    name,
    'is not taken here: with "ids": "all", filters say which records are meant',
  )
}

const answer = (c: Asked, returned: unknown): Response =>
  returned === undefined ? noContent(c) : respondWith(c, { data: returned })
