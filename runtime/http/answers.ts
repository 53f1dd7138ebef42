import type { Context, ErrorHandler, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ConstraintError } from '../database/types.js'
import { UnavailableError } from '../database/unavailable.js'
import { HttpError, methodNotAllowed, notFound } from '../errors.js'
import { setHeader, type Served } from './context.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * The one place where a failure becomes an answer: `{ message, errors? }`, or 500 with nothing
 * but the request id.
 */
export const onError: ErrorHandler = (error, c) => {
  const known = toHttpError(error)
  if (known !== null) return answer(c, known)
  if (error instanceof HTTPException) return answerOther(c, error)
  return answerBug(c, error)
}

/** 404, or 405 with `Allow` where the path exists with another method. */
export function onNotFound(app: Pick<Hono, 'router'>) {
  return (c: Context): Response => {
    const allowed = methods.filter((method) =>
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method),
    )
    if (allowed.length === 0) return answer(c, notFound())
    const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return answer(c, methodNotAllowed(allow.join(', ')))
  }
}

function answer(c: Context, { status, message, errors, headers }: HttpError): Response {
  for (const [name, value] of Object.entries(headers)) setHeader(c, name, value)
  return c.json(errors === undefined ? { message } : { message, errors }, status)
}

/** What a failure is to the caller; null: a bug. */
export function toHttpError(error: Error): HttpError | null {
  if (error instanceof HttpError) return error
  if (error instanceof UnavailableError) {
    return new HttpError(503, 'The service is not available now.', undefined, {
      'Retry-After': '1',
    })
  }
  if (error instanceof ConstraintError) return refusal(error)
  return null
}

/**
 * Routes of your own that let a refusal by the database through; repositories name the field
 * themselves.
 */
function refusal({ kind }: ConstraintError): HttpError {
  if (kind === 'unique') return new HttpError(409, 'There is such a record already.')
  if (kind === 'foreign') return new HttpError(409, 'Another record refers to this one.')
  return new HttpError(422, 'The given data was invalid.')
}

/** Hono's own exceptions, and those of middleware made for it. */
function answerOther(c: Context, error: HTTPException): Response {
  if (error.res !== undefined) return error.getResponse()
  return c.json({ message: error.message || 'Error.' }, error.status)
}

function answerBug(c: Context<Served>, error: Error): Response {
  const request_id = c.get('requestId')
  c.get('server')?.log.error({ requestId: request_id, err: error }, 'request failed')
  return c.json({ message: 'Server error.', request_id }, 500)
}
