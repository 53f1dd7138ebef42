import { z } from 'zod'
import { whole } from '../../config/env.js'

const isAddress = (text: string) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)

/** The value is never shown: it has passwords. */
const urls = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((url) => url.trim()))
  .transform((all) => all.filter((url) => url !== ''))
  .superRefine((all, context) => {
    const wrong = all.findIndex((url) => !isAddress(url)) + 1
    if (wrong === 0) return
    const like = 'must be like postgresql://user:password@host:5432/database'
    const message = `${like}, several with commas between them; number ${wrong} of ${all.length} is not`
    context.addIssue({ code: 'custom', message })
  })

export const replicaEnv = {
  /** Replicas of DATABASE_URL that requests read from, separated by commas. Default: none. */
  DATABASE_REPLICA_URLS: urls,
  /** Milliseconds that a replica may be behind; one that is further is not read from. */
  DATABASE_REPLICA_LAG_MS: whole(100, 600_000).default(5000),
  /** The writes that a replica must know before somebody reads from it. Default: `changes`. */
  DATABASE_REPLICA_KNOWS: z.enum(['own', 'changes', 'all']).default('changes'),
}
