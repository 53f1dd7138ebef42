import { Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { parametersOf } from '../../http/request.js'
import type { HasEntity } from '../../model/entity.js'
import { listOf } from '../bulk/records.js'
import { answer, type BulkRoutesOptions, readRequest } from '../bulk/routes.js'
import { keyAsked, parameter } from './keys.js'
import { upsertMany } from './many.js'
import { isUpsert } from './routes.js'

/**
 * `POST /bulk?upsertBy=sku`: makes or changes the records of a list, all or none. 201 where all are
 * new, else 200; `meta.created` says of each which it was. Without the parameter, the routes that
 * follow answer.
 */
export function upsertManyRoutes(repository: HasEntity, { max }: BulkRoutesOptions = {}) {
  return new Hono<ServerEnv<unknown>>().post('/bulk', async (c, next) => {
    if (!isUpsert(c)) return next()
    const key = keyAsked(repository.definition, parametersOf(c.req.url).getAll(parameter))
    const { body, options } = await readRequest(c, { max, takes })
    const list = listOf(body, options.most)
    const written = await upsertMany(repository, c.get('user'), list, key, options)
    const { resources, areNew } = written
    const status = areNew.every(Boolean) ? 201 : 200
    return answer(c, resources, options, status, { created: areNew })
  })
}

const takes = [parameter]
