import type { Context } from 'hono'
import type { AnyRepository } from '../operations/repository.js'
import { withDirectAnswer } from './direct.js'
import { readIndexQuery, readShowQuery } from './request.js'
import { paginated, paginatedDirectly, respond, respondDirectly } from './respond.js'

/** `GET /posts`: a page of the records the user may see. */
export const indexRoute = (repository: AnyRepository) =>
  withDirectAnswer(
    async (c: Context) => paginated(c, await repository.index(c.get('user'), readIndexQuery(c))),
    async (request) => {
      const query = readIndexQuery(request.context)
      return paginatedDirectly(request, await repository.index(request.user, query))
    },
  )

/** `GET /posts/:id`: a record the user may see, or 404. */
export const showRoute = (repository: AnyRepository) =>
  withDirectAnswer(
    async (c: Context) => {
      const query = readShowQuery(c)
      return respond(c, await repository.show(c.get('user'), c.req.param('id') ?? '', query))
    },
    async (request) => {
      const query = readShowQuery(request.context)
      return respondDirectly(request, await repository.show(request.user, request.id, query))
    },
  )
