import { baseText } from '../../write/base/base-store.js'
import type { FeatureReader } from '../../write/feature.js'
import { at, type Target } from '../../write/target.js'
import type { SignInFacts } from './facts.js'
import { publishables } from './publish.js'

const limit = { limit: true, minutes: true } as const

export const signInReader: FeatureReader = {
  configKeys: {
    config: {
      auth: {
        user_model: true,
        token_ttl: true,
        user_with: true,
        register_fields: true,
        verify_email: true,
        jwt: { issuer: true, audience: true, jwks_url: true, claim: true, column: true },
      },
      password_reset_url: true,
      verify_email_url: true,
      throttles: {
        register: limit,
        login: limit,
        forgotPassword: limit,
        resetPassword: limit,
        verifyEmail: limit,
        sendVerification: limit,
        changeEmail: limit,
        changePassword: limit,
      },
    },
  },
  readCode: async (target) => ({ signIn: readSignIn(target) }),
}

export function readSignIn(target: Target): SignInFacts {
  const isThere = (path: string) => target.files.kind(at(target, path)) !== null
  const published = publishables
    .map(({ to }) => to)
    .filter((path) => baseText(target, path) !== null)
  const written = baseText(target, 'config/svc.ts')
  const today = target.files.read(at(target, 'config/svc.ts'))
  return {
    published,
    present: published.filter(isThere),
    saysSignIn: /^ +user_model:/m.test(written ?? ''),
    hasJwt: namesIssuer.test(today ?? ''),
  }
}

/** Outside comments, wherever it stands: in a constant of one line, in what is imported. */
const namesIssuer = /^(?!\s*(?:\/?\*|\/\/)).*\bjwt\b(?!['"]?\s*:\s*null\b)/m
