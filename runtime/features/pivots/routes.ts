import { Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { writeOptions } from '../../http/exchange.js'
import { readBody } from '../../http/request.js'
import { noContent, respondWith } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { changePivots } from './pivots.js'

/**
 * The many-to-many relations of a record: `POST /:id/attach/:relation` (201 with the pivots),
 * `sync` (200) and `detach` (204); 200 with what a callback of the hooks returned in their place.
 */
export function pivotRoutes(repository: HasEntity) {
  const routes = new Hono<ServerEnv<unknown>>()
  for (const operation of ['attach', 'sync', 'detach'] as const) {
    routes.post(`/:id/${operation}/:relation`, async (c) => {
      const { id, relation } = c.req.param()
      const asked = { operation, id, key: relation, body: await readBody(c) }
      const outcome = await changePivots(repository, c.get('user'), asked, writeOptions(c))
      if ('replaced' in outcome) return respondWith(c, outcome.replaced)
      if (operation === 'detach') return noContent(c)
      return respondWith(c, { data: outcome.pivots }, operation === 'attach' ? 201 : 200)
    })
  }
  return routes
}
