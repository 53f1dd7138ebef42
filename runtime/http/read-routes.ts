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
      const { user } = request
      // A repository of somebody's own may be anything that has these methods.
      const page =
        jsonIndexes.get(repository.index)?.(user, query) ??
        Promise.resolve(repository.index(user, query))
      return andThen(page, (shown) => paginatedDirectly(request, shown))
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
      const record =
        jsonShows.get(repository.show)?.(user, id, query) ??
        Promise.resolve(repository.show(user, id, query))
      return andThen(record, (shown) => respondDirectly(request, shown))
    },
  )
