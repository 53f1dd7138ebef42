import type { Context } from 'hono'
import { badRequest, HttpError } from '../../errors.js'
import { parseJson, readBytes, requireJson } from '../../http/body.js'
import type { Served } from '../../http/context.js'
import { parametersOf } from '../../http/request.js'
import type { Parameters } from './execute.js'

/** The parameters of a request: of the query string (GET, HEAD), or of the JSON body (POST). */
export async function readParameters<E extends Served>(c: Context<E>): Promise<Parameters> {
  return c.req.method === 'POST' ? fromBody(c) : fromQuery(c)
}

function fromQuery(c: Pick<Context, 'req'>): Parameters {
  const parameters = parametersOf(c.req.url)
  return checked({
    query: parameters.get('query') ?? undefined,
    operationName: parameters.get('operationName') ?? undefined,
    variables: json(parameters, 'variables'),
    extensions: json(parameters, 'extensions'),
  })
}

function json(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  try {
    return parseJson(Buffer.from(text), deepest)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw badRequest(error.message.replace('request body', `parameter ${name}`))
  }
}

/** Levels of the JSON in a query string. */
const deepest = 64

async function fromBody<E extends Served>(c: Context<E>): Promise<Parameters> {
  const { body_bytes, json_depth } = c.get('server').config.limits
  requireJson(c)
  const body = parseJson(await readBytes(c, body_bytes), json_depth)
  if (Array.isArray(body)) throw badRequest('Batches are not accepted: send one operation.')
  if (!isObject(body)) throw badRequest('The request body must be a JSON object.')
  return checked(body)
}

function checked(given: Readonly<Record<string, unknown>>): Parameters {
  const { query, operationName = null, variables = null, extensions = null } = given
  if (query === undefined || query === null) throw badRequest('The parameter query is missing.')
  if (typeof query !== 'string') throw badRequest('The parameter query must be a text.')
  if (operationName !== null && typeof operationName !== 'string') {
    throw badRequest('The parameter operationName must be a text.')
  }
  if (variables !== null && !isObject(variables)) {
    throw badRequest('The parameter variables must be an object.')
  }
  if (extensions !== null && !isObject(extensions)) {
    throw badRequest('The parameter extensions must be an object.')
  }
  return { query, operationName: operationName === '' ? null : operationName, variables }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
