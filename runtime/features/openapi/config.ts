import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'

const schema = z.strictObject({
  /**
   * Who may read `/openapi.json`: everybody (`public`, the default), who sends a valid token, or
   * nobody (`off`: there is no such route).
   */
  document: z.enum(['public', 'token', 'off']).default('public'),
})

/** Checks `docs` of `config/svc.ts` when it is loaded; a wrong or unknown key stops the start. */
export function defineDocs(docs: z.input<typeof schema>): Readonly<z.output<typeof schema>> {
  return checkConfig('config/svc.ts', schema, docs)
}

/** `docs` of what `config/svc.ts` exports; a file from before there was a document says nothing. */
export const docsOf = (exported: object) =>
  checkConfig('config/svc.ts', schema, 'docs' in exported ? exported.docs : {})
