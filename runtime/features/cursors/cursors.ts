import { keyWithout, makeOne } from '../../config/app-key.js'
import type { Extension } from '../../model/entity.js'
import { SetupError } from '../../setup-error.js'
import { askedIn, names, readAsked } from './asked.js'
import { cursorPage } from './read-page.js'
import { type Seal, sealWith } from './seal.js'
import { numberedPage } from './totals.js'

interface SecretEnvironment {
  readonly NODE_ENV: string
  readonly APP_KEY?: string | undefined
  readonly APP_KEY_FILE: string
}

/**
 * For repositories: lists are walked by `cursor`, in whatever order they are asked in, and counted
 * as `withTotal` says.
 *
 * @param env Cursors are sealed with its APP_KEY, which production must have.
 * @example extensions: [cursors]
 */
export function sealedCursors(env: SecretEnvironment): Extension {
  const secret = env.APP_KEY ?? secretWithout(env)
  let made: Seal | undefined
  const seal = () => (made ??= sealWith(secret))
  return {
    read: {
      asks: {
        names,
        of: 'list',
        change: readAsked,
        page: (access, query) => {
          const asked = askedIn(query)
          if (asked.cursor !== undefined) return cursorPage(access, query, asked, seal())
          const { withTotal = 'exact' } = asked
          return withTotal === 'exact' ? null : numberedPage(access, query, withTotal)
        },
      },
    },
  }
}

function secretWithout(env: SecretEnvironment): string {
  if (env.NODE_ENV !== 'production') return keyWithout(env)
  const why = makeOne('the cursors of lists')
  throw new SetupError(`The environment is wrong:\n  APP_KEY is missing: ${why}`)
}
