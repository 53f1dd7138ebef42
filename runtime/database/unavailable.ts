/**
 * What a request needs cannot be had now (the database, a connection, a turn at writing), and it
 * may be tried again. Answered with 503; the message is for the log.
 */
export class UnavailableError extends Error {
  override name = 'UnavailableError'

  constructor(message = 'The database cannot be reached.', options?: ErrorOptions) {
    super(message, options)
  }
}

/** Too many ask at once for what there is: it was waited for. */
export class BusyError extends UnavailableError {
  override name = 'BusyError'
}
