import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { ConstraintError } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import { type FieldErrors, HttpError } from '../../errors.js'

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_FAILED',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
}

/** An error of the document itself, with its code. */
export function documentError(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

/** Told of failures that are no answer: the log. */
export type Report = (error: unknown) => void

/**
 * What a client is told: a refusal with its code and fields, a mistake in the document, or nothing
 * but that it failed. Never a stack, a statement or a rule.
 */
export function formatError(error: GraphQLError, report: Report): GraphQLFormattedError {
  const { originalError } = error
  if (originalError === undefined || originalError instanceof GraphQLError) {
    const isField = error.path !== undefined
    if (!isField || !isUnfit(error)) {
      const usual = isField ? 'BAD_USER_INPUT' : 'GRAPHQL_VALIDATION_FAILED'
      const extensions = { ...error.extensions, code: error.extensions['code'] ?? usual }
      return { ...error.toJSON(), extensions }
    }
  }
  const { message, ...rest } = explained(originalError ?? error, report)
  const { locations, path } = error.toJSON()
  const place = locations === undefined ? {} : { locations }
  return { message, ...place, ...(path === undefined ? {} : { path }), extensions: rest }
}

/** What a resolver gave is no value of the field's type: it may hold anything. */
const isUnfit = ({ message, extensions }: GraphQLError) =>
  extensions['code'] === undefined && unfit.test(message)

const unfit =
  / cannot represent |^(?:Expected (?:Iterable|value)|Abstract type|Runtime Object type)\b/

interface Told {
  readonly message: string
  readonly code: string
  /** Problems by field, as REST answers them. */
  readonly errors?: FieldErrors
  readonly [key: string]: unknown
}

function explained(error: Error, report: Report): Told {
  if (error instanceof HttpError) {
    const { status, message, errors } = error
    const code = codes[status] ?? 'BAD_REQUEST'
    return errors === undefined ? { message, code } : { message, code, errors }
  }
  if (error instanceof UnavailableError) {
    return { message: 'The service is not available now.', code: 'SERVICE_UNAVAILABLE' }
  }
  if (error instanceof ConstraintError) {
    return { message: 'Another record stands in the way.', code: 'CONFLICT' }
  }
  report(error)
  return { message: 'Server error.', code: 'INTERNAL_SERVER_ERROR' }
}
