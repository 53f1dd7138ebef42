import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'

const schema = z.strictObject({
  /**
   * Statements that take longer, in milliseconds, are logged with their text, which has places for
   * values and never the values; null: none. Default 500.
   */
  slow_statement_ms: z.number().nonnegative().nullable().default(500),
})

export type Operations = Readonly<z.output<typeof schema>>

/** Checks `operations` of `config/svc.ts` when it is loaded; a wrong key stops the start. */
export function defineOperations(operations: z.input<typeof schema>): Operations {
  return checkConfig('config/svc.ts', schema, operations)
}

/** `operations` of what `config/svc.ts` exports; a file from before there were any says nothing. */
export const operationsOf = (exported: object): Operations =>
  checkConfig('config/svc.ts', schema, 'operations' in exported ? exported.operations : {})

export const metricsEnv = {
  /**
   * Readers of /metrics send it: `Authorization: Bearer …`. Without it, nobody reads them in
   * production.
   */
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
}
