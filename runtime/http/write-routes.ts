import type { Context } from 'hono'
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
      const { context } = request
      const input = await readBody(context)
      await request.confirm()
      const record = await repository.store(request.user, input, writeOptions(context))
      return createdDirectly(request, record)
    },
  )
