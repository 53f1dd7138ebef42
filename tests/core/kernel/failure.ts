import { HttpError } from '../../../runtime/errors.js'

/** The HttpError that some work ends in. */
export async function failure(work: Promise<unknown>): Promise<HttpError> {
  const error: unknown = await work.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  )
  if (error instanceof HttpError) return error
  throw new Error(`not an HttpError: ${String(error)}`, { cause: error })
}
