import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { HttpError } from '../../errors.js'
import { serverError, toHttpError } from '../../http/answers.js'

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_FAILED',
  428: 'PRECONDITION_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  500: 'WRONG_STORED_VALUE',
  503: 'SERVICE_UNAVAILABLE',
}

/** An error of the document itself, with its code. */
export function documentError(message: string, code: string, more: object = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } })
}

/**
 * What the client gets of an error: the code and fields of a denied or invalid request, a mistake
 * in the document, or nothing but that it failed. Never a stack, a statement or a rule. Failures of
 * the server go to `log`.
 */
export function formatError(
  error: GraphQLError,
  log: (failure: unknown) => void,
  inWords: (known: HttpError) => HttpError,
): GraphQLFormattedError {
  const { originalError, path } = error
  const { locations } = error.toJSON()
  if (isClients(error)) {
    const usual = path === undefined ? 'GRAPHQL_VALIDATION_FAILED' : 'BAD_USER_INPUT'
    const extensions = { ...error.extensions, code: error.extensions['code'] ?? usual }
    return { ...error.toJSON(), extensions }
  }
  const { message, ...extensions } = explained(originalError ?? error, log, inWords)
  const place = { ...(locations && { locations }), ...(path && { path }) }
  return { message, ...place, extensions }
}

/**
 * Returns true if its text was written for clients: by graphql-js of a document, or by a resolver.
 */
function isClients({ originalError, path, message, extensions }: GraphQLError): boolean {
  if (originalError !== undefined && !(originalError instanceof GraphQLError)) return false
  // A resolver's value is no value of the field's type: it may hold anything, so the message is not
  // shown.
  return path === undefined || extensions['code'] !== undefined || !wrongValue.test(message)
}

const wrongValue =
  / cannot represent |^(?:Expected (?:Iterable|value)|Abstract type|Runtime Object type)\b/

/** Its message, and the rest as `extensions`: `errors` are problems by field, as REST has them. */
function explained(
  error: Error,
  log: (failure: unknown) => void,
  inWords: (known: HttpError) => HttpError,
) {
  const known = toHttpError(error)
  if (known === null) {
    log(error)
    return { message: inWords(serverError).message, code: 'INTERNAL_SERVER_ERROR' }
  }
  const { status, message, errors } = inWords(known)
  if (status >= 500) log(error)
  return { message, code: codes[status] ?? 'BAD_REQUEST', ...(errors && { errors }) }
}

/**
 * Returns true if a root field failed: a selection below it that cannot be answered is no failure
 * of its write.
 */
export const hasFailed = ({ data, errors = [] }: ExecutionResult): boolean =>
  data === null || data === undefined || errors.some(({ path }) => path?.length === 1)
