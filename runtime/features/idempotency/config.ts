import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'
import { whole } from '../../config/server-config.js'

const schema = z.strictObject({
  /** For how long an answer is kept, and a key means this request. Default 24. */
  hours: whole(1, 720).default(24),
  /**
   * When a crash has left a request undone, how long after its start the next try may do it.
   * Default 10.
   */
  running_seconds: whole(1, 3_600).default(10),
})

export type KeptFor = Readonly<z.output<typeof schema>>

/** Checks `idempotency` of `config/svc.ts` when loaded; a wrong or unknown key stops the start. */
export function defineIdempotency(idempotency: z.input<typeof schema>): KeptFor {
  return checkConfig('config/svc.ts', schema, idempotency)
}

/** `idempotency` of what `config/svc.ts` exports; a file older than the feature says nothing. */
export const idempotencyOf = (exported: object): KeptFor =>
  checkConfig('config/svc.ts', schema, 'idempotency' in exported ? exported.idempotency : {})
