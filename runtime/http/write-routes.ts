import type { Context } from 'hono'
import { confirmingStores } from '../operations/json-reads.js'
import type { AnyRepository } from '../operations/repository.js'
import { withDirectAnswer } from './direct.js'
import { writeOptions } from './exchange.js'
import { readBody } from './request.js'
import { created, createdDirectly } from './respond.js'

/** `POST /posts`: makes a record, and answers 201 with it and its address. */
export const storeRoute = (repository: AnyRepository) =>
  withDirectAnswer(
    async (c: Context) => {
      const input = await readBody(c)
      return created(c, await repository.store(c.get('user'), input, writeOptions(c)))
    },
    async (request) => {
      const { context, user, assumption } = request
      const input = await readBody(context)
      const isAssumed = mayAssume(repository)
      if (!isAssumed) await assumption?.confirm()
      const options = Object.assign(isAssumed ? { assumption } : {}, writeOptions(context))
      const record = await repository.store(user, input, options)
      return createdDirectly(request, record)
    },
  )

/** What a feature does in a write, or a repository of somebody's own, must not be done for a user of before. */
const mayAssume = ({ store, definition }: AnyRepository): boolean =>
  confirmingStores.has(store) && definition.extensions.every(({ write }) => write === undefined)
