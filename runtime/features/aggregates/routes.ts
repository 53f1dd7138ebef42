import { Hono } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { onlyMethods } from '../../http/only-methods.js'
import { readIndexQuery } from '../../http/request.js'
import { paginated } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { aggregatePage } from './page.js'

/**
 * `GET /aggregate?groupBy=status&select=count,sum(price)`: what is to be said of the records that
 * the index would list, in groups, page by page.
 */
export const aggregateRoutes = (repository: HasEntity) =>
  new Hono<ServerEnv<unknown>>()
    .use('/aggregate', onlyMethods(repository, 'aggregate', ['GET']))
    .get('/aggregate', async (c) =>
      paginated(c, await aggregatePage(repository.definition, c.get('user'), readIndexQuery(c))),
    )
