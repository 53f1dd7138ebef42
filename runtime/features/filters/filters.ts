import { Hono } from 'hono'
import { badRequest } from '../../errors.js'
import type { ServerEnv } from '../../http/context.js'
import { onlyMethods } from '../../http/only-methods.js'
import { parametersOf } from '../../http/request.js'
import { respondWith } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { namesIn } from '../../query/names-in.js'
import { badParameter } from '../../query/query.js'
import { type AskableList, askables, lists, type Texts } from './askables.js'

/**
 * `GET /filters?only=matches,sortables,searchables,filters`: what lists of a repository may be asked
 * for, by this user. It stands before `/:id`.
 */
export function filterRoutes(repository: HasEntity, texts: Texts = {}) {
  const routes = new Hono<ServerEnv<unknown>>()
  routes.use('/filters', onlyMethods(repository, 'filters', ['GET']))
  return routes.get('/filters', async (c) => {
    const only = readOnly(parametersOf(c.req.url))
    const access = accessTo(newRequest(c.get('user')), repository.definition)
    return respondWith(c, { data: await askables(access, only, texts) })
  })
}

/** 400 for what it does not know, whatever the config says of strange parameters. */
function readOnly(sent: URLSearchParams): readonly AskableList[] {
  const asked: AskableList[] = []
  for (const [name, text] of sent) {
    if (name !== 'only' && name !== 'only[]') throw badParameter(name, 'is not known here: only is')
    asked.push(...namesIn(text).map(listCalled))
  }
  return asked.length === 0 ? lists : asked
}

function listCalled(name: string): AskableList {
  const found = lists.find((each) => each === name)
  if (found !== undefined) return found
  const message = `The only parameter names '${name}', and knows ${lists.join(', ')}.`
  throw badRequest(message, { only: [message] })
}
