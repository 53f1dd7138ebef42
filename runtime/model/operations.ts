/** Names of the operations that write; a feature adds its own by `declare module`. */
export interface Operations {
  readonly store: true
  readonly update: true
  readonly delete: true
  readonly attach: true
  readonly sync: true
  readonly detach: true
}

export type Operation = keyof Operations
