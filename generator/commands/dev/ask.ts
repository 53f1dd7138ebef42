/** What the server says to `svc dev`: it wants to listen there, and it listens on a port of its own. */
export type Ask =
  | { readonly svc: 'listen'; readonly host: string; readonly port: number }
  | { readonly svc: 'ready'; readonly host: string; readonly port: number; readonly inner: number }
  /** It listens where `svc dev` has no door, and no other can beside it. */
  | { readonly svc: 'alone' }

/** The door is open, or why not, as the system says it. */
export interface Reply {
  readonly svc: 'door'
  readonly host: string
  readonly port: number
  readonly code: string | null
}

export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

/** A child may send messages of others, such as a loader's. */
export function isAsk(message: unknown): message is Ask {
  return typeof message === 'object' && message !== null && 'svc' in message
}
