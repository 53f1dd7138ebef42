import { type Context, Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { writeOptions } from '../../http/exchange.js'
import { parametersOf, readBody } from '../../http/request.js'
import { created, respond } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { keyAsked, parameter } from './keys.js'
import { upsertRecord } from './upsert.js'

/**
 * `POST /?upsertBy=sku`: makes a record (201), or changes the one with that key (200). Without the
 * parameter, the routes that follow answer.
 */
export function upsertRoutes(repository: HasEntity) {
  return new Hono<ServerEnv<unknown>>().post('/', async (c, next) => {
    if (!isUpsert(c)) return next()
    const { url } = c.req
    const by = keyAsked(repository.definition, parametersOf(url).getAll(parameter)).join()
    const input = await readBody(c)
    const options = Object.assign({ by }, writeOptions(c))
    const { resource, isNew } = await upsertRecord(repository, c.get('user'), input, options)
    const meta = { created: isNew }
    return isNew ? created(c, resource, meta) : respond(c, resource, meta)
  })
}

export const isUpsert = ({ req }: Pick<Context, 'req'>): boolean =>
  req.url.includes('?') && parametersOf(req.url).has(parameter)
