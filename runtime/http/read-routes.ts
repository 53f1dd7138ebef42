import type { Context } from 'hono'
import { andThen } from '../later.js'
import { jsonIndexes, jsonShows } from '../operations/json-reads.js'
import type { AnyRepository } from '../operations/repository.js'
import { withDirectAnswer } from './direct.js'
import { readIndexQuery, readShowQuery } from './request.js'
import { paginated, paginatedDirectly, respond, respondDirectly } from './respond.js'

/** `GET /posts`: a page of the records the user may see. */
export const indexRoute = (repository: AnyRepository) =>
  withDirectAnswer(
    async (c: Context) => paginated(c, await repository.index(c.get('user'), readIndexQuery(c))),
    (request) => {
      const query = readIndexQuery(request.context)
      const index = jsonIndexes.get(repository.index) ?? repository.index
      return andThen(index(request.user, query), (page) => paginatedDirectly(request, page))
    },
  )

/** `GET /posts/:id`: a record the user may see, or 404. */
export const showRoute = (repository: AnyRepository) =>
  withDirectAnswer(
    async (c: Context) => {
      const query = readShowQuery(c)
      return respond(c, await repository.show(c.get('user'), c.req.param('id') ?? '', query))
    },
    (request) => {
      const { user, id } = request
      const query = readShowQuery(request.context)
      const show = jsonShows.get(repository.show) ?? repository.show
      return andThen(show(user, id, query), (shown) => respondDirectly(request, shown))
    },
  )
