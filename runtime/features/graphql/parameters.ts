import type { Context } from 'hono'
import { badRequest, HttpError } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { parseJson } from '../../http/body.js'
import type { Served } from '../../http/context.js'
import { parametersOf, readJson } from '../../http/request.js'
import { isRecord } from '../../model/get-own.js'
import type { GraphqlRequest } from './execute.js'

/** The parameters of a request: of the query string (GET, HEAD), or of the JSON body (POST). */
export async function readParameters<E extends Served>(c: Context<E>): Promise<GraphqlRequest> {
  const given = c.req.method === 'POST' ? await readBody(c) : readQuery(c)
  const { query, operationName = null, variables = null, extensions = null } = given
  if (query === undefined || query === null) throw badRequest('The parameter query is missing.')
  if (typeof query !== 'string') throw badRequest('The parameter query must be a text.')
  if (operationName !== null && typeof operationName !== 'string') {
    throw badRequest('The parameter operationName must be a text.')
  }
  if (variables !== null && !isRecord(variables)) throw notAnObject('variables')
  if (extensions !== null && !isRecord(extensions)) throw notAnObject('extensions')
  if (isTurnLong()) await nextTurn()
  return { query, operationName: operationName || null, variables }
}

type GivenParameters = Readonly<Record<string, unknown>>

async function readBody<E extends Served>(c: Context<E>): Promise<GivenParameters> {
  const body = await readJson(c)
  if (Array.isArray(body)) throw badRequest('Batches are not accepted: send one operation.')
  if (!isRecord(body)) throw badRequest('The request body must be a JSON object.')
  return body
}

function readQuery(c: Pick<Context, 'req'>): GivenParameters {
  const parameters = parametersOf(c.req.url)
  return {
    query: parameters.get('query'),
    operationName: parameters.get('operationName'),
    variables: jsonParameter(parameters, 'variables'),
    extensions: jsonParameter(parameters, 'extensions'),
  }
}

/** Levels of the JSON in a query string. */
const maxDepth = 64

function jsonParameter(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name) ?? ''
  if (text === '') return undefined
  try {
    return parseJson(Buffer.from(text), maxDepth)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw badRequest(error.message.replace('request body', `parameter ${name}`))
  }
}

const notAnObject = (name: string) => badRequest(`The parameter ${name} must be an object.`)
