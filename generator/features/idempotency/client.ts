import type { ClientPart } from '../client/names.js'

/** What writes may be repeated with it. */
export const keysInClient: ClientPart = { hasKeys: true }
