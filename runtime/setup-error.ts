/** Environment, config, migrations or a port are set up wrongly. One sentence says what to do. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SetupError'
  }
}
