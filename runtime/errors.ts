/** The failures a request can end in. All others are a 500 without details. */

export type FieldErrors = Record<string, string[]>

/**
 * An answer other than success. `message` is for the caller: never about policies, SQL or whether
 * an e-mail exists.
 */
export class HttpError extends Error {
  constructor(
    readonly status:
      | 400
      | 401
      | 403
      | 404
      | 405
      | 409
      | 412
      | 413
      | 415
      | 422
      | 428
      | 429
      | 500
      | 501
      | 503,
    message: string,
    readonly errors?: FieldErrors,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Errors that `errors` leaves out, because they are too many. */
    readonly unnamed: number = 0,
  ) {
    super(message)
    this.name = 'HttpError'
  }
}

/** 400: the request cannot be read (malformed JSON). `errors` name the parameter. */
export const badRequest = (message: string, errors?: FieldErrors) =>
  new HttpError(400, message, errors)

/** 400: an answer that `limits.response_bytes` does not allow. */
export const responseTooLarge = (limit: number) =>
  badRequest(
    `The answer is larger than ${limit} bytes (limits.response_bytes): ` +
      'ask for fewer records, fewer includes or fewer fields.',
  )

/** 401: no user, and the operation needs one. */
export const unauthenticated = () =>
  new HttpError(401, 'Unauthenticated.', undefined, { 'WWW-Authenticate': 'Bearer' })

/** 403: the record may be seen, the operation may not be done. */
export const forbidden = () => new HttpError(403, 'This action is unauthorized.')

/** 404: there is no such record, or the user may not see it; the two are the same. */
export const notFound = (message = 'Not found.') => new HttpError(404, message)

/** 405: the address exists, and takes other methods. */
export const methodNotAllowed = (allow: string) =>
  new HttpError(405, `Method not allowed; use ${allow}.`, undefined, { Allow: allow })

export const conflict = (message: string) => new HttpError(409, message)

/** Ends the message of a 422 that has more errors than one: what speaks languages sets it. */
export const ending = {
  more: (count: number) => ` (and ${count} more error${count > 1 ? 's' : ''})`,
}

/** Fields, or records, that one answer names at most. Its message counts the others, too. */
export const mostNamed = 100

/** The text of an error that is counted and not named: nobody reads it, so nobody writes it. */
export const countedText = ''

/**
 * 422: the failing fields, as an object or a Map. The message is the first error and how many more
 * there are; of more than a hundred fields, the first hundred are named.
 *
 * @param unnamed Errors that are not among those given.
 */
export function invalid(
  given: FieldErrors | ReadonlyMap<string, string[]>,
  unnamed = 0,
): HttpError {
  const entries = Symbol.iterator in given ? [...given] : Object.entries(given)
  const named = entries.filter(([, texts]) => texts[0] !== countedText).slice(0, mostNamed)
  const count = entries.reduce((sum, [, texts]) => sum + texts.length, unnamed)
  const texts = named.flatMap(([, each]) => each)
  const rest = count > 1 ? ending.more(count - 1) : ''
  const message = (texts[0] ?? 'The given data was invalid.') + rest
  return new HttpError(422, message, Object.fromEntries(named), {}, count - texts.length)
}
