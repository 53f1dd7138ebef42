import { Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { readBody, readIndexQuery, readShowQuery } from '../../http/request.js'
import { created, noContent, paginated, respond } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { relatedRecords } from './nested.js'

/**
 * The records related to one, below its own address: `/:id/:relation` and
 * `/:id/:relation/:relatedId`. What a controller serves before them comes first.
 */
export function relatedRoutes(repository: HasEntity) {
  return new Hono<ServerEnv<unknown>>()
    .get('/:id/:relation', async (c) => {
      const { id, relation } = c.req.param()
      const related = await relatedRecords(repository, c.var.user, id, relation)
      return paginated(c, await related.index(readIndexQuery(c)))
    })
    .get('/:id/:relation/:relatedId', async (c) => {
      const { id, relation, relatedId } = c.req.param()
      const related = await relatedRecords(repository, c.var.user, id, relation)
      return respond(c, await related.show(relatedId, readShowQuery(c)))
    })
    .post('/:id/:relation', async (c) => {
      const { id, relation } = c.req.param()
      const input = await readBody(c)
      const related = await relatedRecords(repository, c.var.user, id, relation)
      return created(c, await related.store(input))
    })
    .put('/:id/:relation/:relatedId', async (c) => {
      const { id, relation, relatedId } = c.req.param()
      const input = await readBody(c)
      const related = await relatedRecords(repository, c.var.user, id, relation)
      return respond(c, await related.update(relatedId, input))
    })
    .patch('/:id/:relation/:relatedId', async (c) => {
      const { id, relation, relatedId } = c.req.param()
      const input = await readBody(c)
      const related = await relatedRecords(repository, c.var.user, id, relation)
      return respond(c, await related.patch(relatedId, input))
    })
    .delete('/:id/:relation/:relatedId', async (c) => {
      const { id, relation, relatedId } = c.req.param()
      const related = await relatedRecords(repository, c.var.user, id, relation)
      await related.delete(relatedId)
      return noContent(c)
    })
}
