import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'

const schema = z.strictObject({
  /**
   * Who may read `/openapi.json`: everybody (`public`, the default), who sends a valid token, or
   * nobody (`off`: there is no such route).
   */
  document: z.enum(['public', 'token', 'off']).default('public'),
  /**
   * Where `/docs` is, the page about the API: in development (the default), in production too
   * (`always`), or nowhere (`off`).
   */
  page: z.enum(['development', 'always', 'off']).default('development'),
})

/** Checks `docs` of `config/svc.ts` when it is loaded; a wrong or unknown key stops the start. */
export function defineDocs(docs: z.input<typeof schema>): Readonly<z.output<typeof schema>> {
  return checkConfig('config/svc.ts', schema, docs)
}

/** `docs` of what `config/svc.ts` exports; a file from before there was a document says nothing. */
export const docsOf = (exported: object) =>
  checkConfig('config/svc.ts', schema, 'docs' in exported ? exported.docs : {})
