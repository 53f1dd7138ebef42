/**
 * Messages of the server to `svc dev`: it wants to listen there, and it listens on a port of its
 * own.
 */
export type Ask =
  | { readonly svc: 'listen'; readonly host: string; readonly port: number }
  | { readonly svc: 'ready'; readonly host: string; readonly port: number; readonly inner: number }
  /** It listens where `svc dev` has no door, and no other can beside it. */
  | { readonly svc: 'alone'; readonly port?: number | undefined }
  /** Requests that it was sent are answered; new ones wait. */
  | { readonly svc: 'shut' }

/** The door is open, or why not, as the system says it. */
export interface Reply {
  readonly svc: 'door'
  readonly host: string
  readonly port: number
  readonly code: string | null
}

/** Messages of `svc dev` to the server while its database changes (`gate.ts`). */
export type Order =
  /** Requests wait from now on. */
  | { readonly svc: 'shut' }
  /** Connections of this door go to the server that took over. */
  | { readonly svc: 'pass'; readonly name: string; readonly inner: number }
  /** It answers them itself. */
  | { readonly svc: 'open' }

export const doorName = ({ host, port }: { readonly host: string; readonly port: number }) =>
  `${host} ${port}`

export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

/** A child may send messages of others, such as a loader's. */
export function isAsk(message: unknown): message is Ask {
  return typeof message === 'object' && message !== null && 'svc' in message
}

export function isOrder(message: unknown): message is Order {
  return isAsk(message) && ['shut', 'pass', 'open'].includes(message.svc)
}
