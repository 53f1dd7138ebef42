import { Hono } from 'hono'
import type { Repository } from '../../operations/repository.js'
import type { ServerEnv } from '../../http/context.js'
import { readBody } from '../../http/request.js'
import { attached, detached, synced } from './respond.js'

/** The many-to-many relations of a record: `/:id/attach/:relation`, `sync` and `detach`. */
export function pivotRoutes(repository: Pick<Repository<unknown>, 'attach' | 'sync' | 'detach'>) {
  return new Hono<ServerEnv<unknown>>()
    .post('/:id/attach/:relation', async (c) => {
      const { id, relation } = c.req.param()
      const input = await readBody(c)
      return attached(c, await repository.attach(c.var.user, id, relation, input))
    })
    .post('/:id/sync/:relation', async (c) => {
      const { id, relation } = c.req.param()
      const input = await readBody(c)
      return synced(c, await repository.sync(c.var.user, id, relation, input))
    })
    .post('/:id/detach/:relation', async (c) => {
      const { id, relation } = c.req.param()
      const input = await readBody(c)
      return detached(c, await repository.detach(c.var.user, id, relation, input))
    })
}
