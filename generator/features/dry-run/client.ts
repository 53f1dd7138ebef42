import type { ClientPart } from '../client/names.js'

/** What writes may be tried, or be bounded. */
export const dryRunInClient: ClientPart = { hasDryRuns: true }
