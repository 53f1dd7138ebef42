import { Hono, type MiddlewareHandler } from 'hono'
import { expect, test } from 'vitest'
import { onlySignedIn, withGuard } from '../../../runtime/features/sign-in/guard.js'
import { onError } from '../../../runtime/http/answers.js'
import type { ServerEnv } from '../../../runtime/http/context.js'

interface User {
  readonly id: number
}

type Handler = MiddlewareHandler<ServerEnv<User>>

/** A server whose one route is behind these handlers, and what it answers. */
function ask(...handlers: readonly Handler[]) {
  const app = new Hono<ServerEnv<User>>()
  app.onError(onError)
  app.use(async (c, next) => {
    c.set('user', null)
    await next()
  })
  const guard = onlySignedIn<ServerEnv<User>>(handlers)
  app.get('/:id', guard, (c) => c.text(`${c.req.param('id')} for ${c.var.user.id}`))
  return app.request('/7')
}

const signIn: Handler = async (c, next) => {
  c.set('user', { id: 1 })
  await next()
}

/** Writes its name before what follows, and after it. */
const named =
  (name: string, seen: string[]): Handler =>
  async (c, next) => {
    seen.push(`${name} of ${c.req.param('id')}`)
    await next()
    seen.push(`after ${name}: ${c.res.status}`)
  }

test('handlers run in their order, around the route', async () => {
  const seen: string[] = []
  const answer = await ask(named('one', seen), signIn, named('two', seen))
  expect(await answer.text()).toBe('7 for 1')
  expect(seen).toEqual(['one of 7', 'two of 7', 'after two: 200', 'after one: 200'])
})

test('a guard that finds nobody is 401, even one that lets the request through', async () => {
  const lenient: Handler = async (_, next) => next()
  expect((await ask(lenient)).status).toBe(401)
  expect((await ask()).status).toBe(401)
})

test('a handler that answers is the last, whoever is signed in', async () => {
  const seen: string[] = []
  const closed: Handler = (c) => Promise.resolve(c.text('closed', 503))
  const answer = await ask(signIn, named('one', seen), closed, named('two', seen))
  expect([answer.status, await answer.text()]).toEqual([503, 'closed'])
  expect(seen).toEqual(['one of 7', 'after one: 503'])
})

test.each([
  [['api'], ['api', 'auth:token']],
  [
    ['api', 'auth:token'],
    ['api', 'auth:token'],
  ],
  [['auth:own'], ['auth:own']],
])('routes about an account behind %j are behind %j', (names, guarded) => {
  expect(withGuard(names)).toEqual(guarded)
})
