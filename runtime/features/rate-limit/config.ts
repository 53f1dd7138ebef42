import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'
import { whole as wholeText } from '../../config/env.js'
import { whole } from '../../config/server-config.js'

const schema = z.strictObject({
  /**
   * Requests that one valid token may make in a minute, or one address without a token; with tokens
   * that are made up or not known to be valid yet, one address has ten times as many. Default 600.
   */
  per_minute: whole(1, 1_000_000).default(600),
  /**
   * Sets where that counts: in production (the default), in development and tests too, or nowhere.
   */
  enforced: z.enum(['production', 'always', 'off']).default('production'),
})

export type RateLimit = Readonly<z.output<typeof schema>>

/** Checks `requests` of `config/svc.ts` when loaded; a wrong or unknown key stops the start. */
export function defineRateLimit(requests: z.input<typeof schema>): RateLimit {
  return checkConfig('config/svc.ts', schema, requests)
}

/** `requests` of what `config/svc.ts` exports; a file older than the limit says nothing. */
export const rateLimitOf = (exported: object): RateLimit =>
  checkConfig('config/svc.ts', schema, 'requests' in exported ? exported.requests : {})

/** Variables for counting by address where there is no auth repository. */
export const rateLimitEnv = {
  /**
   * The number of proxies in front of this server that add to X-Forwarded-For; 0: the header is
   * ignored.
   */
  TRUSTED_PROXIES: wholeText(0, 16).default(0),
}
