import { type Context, Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { writeOptions } from '../../http/exchange.js'
import { readBody, readIndexQuery, readShowQuery } from '../../http/request.js'
import { created, noContent, paginated, respond } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { relatedRecords } from './nested.js'

/**
 * The records related to one, below its own address: `/:id/:relation` and
 * `/:id/:relation/:relatedId`. What a controller serves before them comes first.
 */
export function relatedRoutes(repository: HasEntity) {
  const below = ({ req, var: { user } }: Context<ServerEnv<unknown>, '/:id/:relation'>) =>
    relatedRecords(repository, user, req.param('id'), req.param('relation'))
  return new Hono<ServerEnv<unknown>>()
    .get('/:id/:relation', async (c) => {
      const related = await below(c)
      return paginated(c, await related.index(readIndexQuery(c)))
    })
    .get('/:id/:relation/:relatedId', async (c) => {
      const related = await below(c)
      return respond(c, await related.show(c.req.param('relatedId'), readShowQuery(c)))
    })
    .post('/:id/:relation', async (c) => {
      const input = await readBody(c)
      return created(c, await (await below(c)).store(input, writeOptions(c)))
    })
    .put('/:id/:relation/:relatedId', async (c) => {
      const input = await readBody(c)
      const related = await below(c)
      return respond(c, await related.update(c.req.param('relatedId'), input, writeOptions(c)))
    })
    .patch('/:id/:relation/:relatedId', async (c) => {
      const input = await readBody(c)
      const related = await below(c)
      return respond(c, await related.patch(c.req.param('relatedId'), input, writeOptions(c)))
    })
    .delete('/:id/:relation/:relatedId', async (c) => {
      await (await below(c)).delete(c.req.param('relatedId'), writeOptions(c))
      return noContent(c)
    })
}
