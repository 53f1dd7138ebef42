/** svc will not go on, and the developer can change that: what is in the way, and what to do. Nothing was written. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}
