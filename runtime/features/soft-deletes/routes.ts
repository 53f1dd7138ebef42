import { Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { writeOptions } from '../../http/exchange.js'
import { noContent, respond } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { forceDeleteRecord, restoreRecord } from './trash.js'

/** `POST /:id/restore` (200 with the record) and `DELETE /:id/force` (204). */
export function trashRoutes(repository: HasEntity) {
  return new Hono<ServerEnv<unknown>>()
    .post('/:id/restore', async (c) => {
      const { id } = c.req.param()
      return respond(c, await restoreRecord(repository, c.get('user'), id, writeOptions(c)))
    })
    .delete('/:id/force', async (c) => {
      const { id } = c.req.param()
      await forceDeleteRecord(repository, c.get('user'), id, writeOptions(c))
      return noContent(c)
    })
}
