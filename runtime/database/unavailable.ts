/** The database cannot be reached now; the request may be tried again. Answered with 503. */
export class UnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('The database cannot be reached.', options)
    this.name = 'UnavailableError'
  }
}
