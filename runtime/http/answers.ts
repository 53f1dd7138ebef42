import type { Context, ErrorHandler, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ConstraintError } from '../database/types.js'
import { UnavailableError } from '../database/unavailable.js'
import { conflict, HttpError, methodNotAllowed, notFound } from '../errors.js'
import { WrongValueError } from '../model/wrong-value.js'
import { allowedMethods } from './allowed-methods.js'
import { setHeader, type Served } from './context.js'

/** Turns a failure into an answer: `{ message, errors? }`, or 500 with only the request id. */
export const onError: ErrorHandler = (error, c) => {
  const known = toHttpError(error)
  if (known?.status === 503) logUnavailable(c, error)
  if (known?.status === 500) logFailed(c, error)
  if (known !== null) return answer(c, known)
  // Hono's own exceptions, and those of middleware made for it.
  if (error instanceof HTTPException) {
    if (error.res !== undefined) return error.getResponse()
    return c.json({ message: error.message || 'Error.' }, error.status)
  }
  return answerBug(c, error)
}

/** 404, or 405 with `Allow` where the path exists with another method. */
export function onNotFound(app: Pick<Hono, 'router'>) {
  return (c: Context): Response => {
    const allow = allowedMethods(app, c.req.path)
    return answer(c, allow === '' ? notFound() : methodNotAllowed(allow))
  }
}

function answer(c: Context<Served>, error: HttpError): Response {
  const { status, message, errors, headers } = inWords(c, error)
  for (const [name, value] of Object.entries(headers)) setHeader(c, name, value)
  return c.json(errors === undefined ? { message } : { message, errors }, status)
}

/** In the language of who asks, where something speaks languages. */
export const inWords = (c: Context<Served>, error: HttpError): HttpError =>
  c.get('inWords')?.(error, c) ?? error

export const serverError = new HttpError(500, 'Server error.')

/** Returns the HTTP error of a failure; null: the failure is a bug. */
export function toHttpError(error: Error): HttpError | null {
  if (error instanceof HttpError) return error
  if (error instanceof UnavailableError || prismaIsWaiting(error)) {
    return new HttpError(503, 'The service is not available now.', undefined, {
      'Retry-After': '1',
    })
  }
  if (error instanceof WrongValueError) return new HttpError(500, error.answer)
  // The error of a route of yours: repositories name the field themselves.
  if (error instanceof ConstraintError) return constraintAnswers[error.kind]
  return null
}

/** Prisma, in routes and hooks of your own: no database, no connection, no turn; a deadlock. */
const prismaIsWaiting = (error: Error): boolean =>
  error.name === 'PrismaClientKnownRequestError' &&
  'code' in error &&
  /^P(1001|1002|1008|1017|2024|2028|2034)$/.test(String(error.code))

const invalidData = new HttpError(422, 'The given data was invalid.')

const constraintAnswers = {
  unique: conflict('There is such a record already.'),
  foreign: conflict('Another record refers to this one.'),
  notNull: invalidData,
  value: invalidData,
} as const

/** Callers learn nothing of why; whoever runs the server must. */
function logUnavailable(c: Context<Served>, error: Error): void {
  const { cause, message } = error
  const line = { requestId: c.get('requestId'), ...(cause === undefined ? {} : { err: cause }) }
  c.get('server')?.log.warn(line, message)
}

function answerBug(c: Context<Served>, error: Error): Response {
  const request_id = c.get('requestId')
  logFailed(c, error)
  return c.json({ message: inWords(c, serverError).message, request_id }, 500)
}

function logFailed(c: Context<Served>, error: Error): void {
  c.get('server')?.log.error({ requestId: c.get('requestId'), err: error }, 'request failed')
}
