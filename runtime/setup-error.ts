/**
 * The server is set up wrongly: an environment variable, the config, a migration, a port. One
 * sentence says what to do.
 */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SetupError'
  }
}
