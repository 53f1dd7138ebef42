import type { MiddlewareHandler } from 'hono'
import { badRequest } from '../../errors.js'
import type { ServerEnv } from '../../http/context.js'
import type { Input } from '../../input/validation.js'
import { isRecord } from '../../model/get-own.js'
import type { ThrottleName } from './config.js'
import { readFormBody } from './input.js'
import type { Throttles } from './throttle.js'

/** Whoever is signed in. */
interface AnyUser {
  readonly id: number | string
}

/** The variables that `throttledForm` gives the handlers behind it. */
interface Form {
  form: Input
}

/**
 * Middleware of the routes of signing in: counts each request, or answers 429. A handler without
 * it does not compile, because the form it works with comes from there.
 */
export function createThrottled(throttles: Throttles) {
  return {
    /**
     * `c.get('form')`, read after the address was counted, for one machine that tries many e-mails.
     * Then the e-mail it names is counted; elsewhere the user, where somebody is signed in.
     * @param formIn Finds the form in the body of a route of your own: `(body) => body['user']`.
     */
    throttledForm(
      name: ThrottledForm,
      formIn: (body: Input) => unknown = (body) => body,
    ): MiddlewareHandler<{ Variables: Form }> {
      const handler: MiddlewareHandler<ServerEnv<AnyUser, Form>> = async (c, next) => {
        const namesEmail = byEmail.has(name)
        if (namesEmail) await throttles.address(c, name)
        else await throttles.request(c, name, idOf(c.get('user')))
        const form = formOf(formIn(await readFormBody(c)))
        if (namesEmail) await throttles.request(c, name, form['email'])
        c.set('form', form)
        await next()
      }
      // It runs behind what sets the rest, whatever the type of the project's users.
      return handler as unknown as MiddlewareHandler<{ Variables: Form }>
    },

    /**
     * Throttles a route that reads no form: it counts the `:id` of a link, or the user who wants
     * one.
     */
    throttled(name: 'verifyEmail' | 'sendVerification'): MiddlewareHandler {
      const handler: MiddlewareHandler<ServerEnv<AnyUser>> = async (c, next) => {
        const who = name === 'verifyEmail' ? c.req.param('id') : idOf(c.get('user'))
        await throttles.request(c, name, who)
        await next()
      }
      return handler as unknown as MiddlewareHandler
    },
  }
}

/** 400 where a body has no form. A form has no prototype, as bodies have none. */
function formOf(found: unknown): Input {
  if (!isRecord(found))
    throw badRequest('The request body does not have the object that is read here.')
  return Object.assign(Object.create(null) as Input, found)
}

type ThrottledForm = 'login' | 'register' | 'forgotPassword' | 'resetPassword' | 'changePassword'

const byEmail: ReadonlySet<ThrottleName> = new Set(['login', 'forgotPassword', 'resetPassword'])

const idOf = (user: AnyUser | null) => (user === null ? undefined : String(user.id))
