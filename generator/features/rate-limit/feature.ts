import { unsetProxies } from '../../plan/feature.js'
import type { Variable } from '../../plan/texts.js'
import type { Feature } from '../../write/feature.js'
import { aSwitch } from '../a-switch.js'
import type { DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { aboutHeader, failure, responses } from '../openapi/operations/statuses.js'

export const rateLimit: Feature = {
  name: 'rateLimit',
  check: aSwitch('rateLimit'),
  reader: {
    configKeys: { requests: { per_minute: true, enforced: true } },
  },
  slots: ({ auth }) => ({
    imports: {
      'app/app.ts': [
        { from: '#config/svc.js', names: ['* as settings'] },
        { from: settings, names: ['rateLimitOf'] },
        ...(auth === null ? [] : [knownTokens, { from: './auth.js', names: ['auth'] }]),
        { from: '#runtime/features/rate-limit/limit.js', names: ['limitRequests'] },
      ],
      'config/svc.ts': [{ from: settings, names: ['defineRateLimit'] }],
      // It must know which proxies to believe. Where people sign in, that is known.
      ...(auth === null ? { 'app/env.ts': [{ from: settings, names: ['rateLimitEnv'] }] } : {}),
    },
    app_after_cors: auth === null ? [limited('env')] : [limited('env, isKnown: knownTokens(auth)')],
    config_exports: [requests],
    ...(auth === null ? { env_variables_last: ['...rateLimitEnv,'] } : {}),
  }),
  texts: ({ auth }) => (auth === null ? { variables: [proxies] } : {}),
  document: async () => limitInDocument,
  settings: [
    // An auth repository sets it already.
    {
      ...unsetProxies,
      isFound: (value, { auth }) => auth === null && unsetProxies.isFound(value),
    },
  ],
}

const settings = '#runtime/features/rate-limit/config.js'
const knownTokens = {
  from: '#runtime/features/sign-in/known-tokens.js',
  names: ['knownTokens'],
}

const limited = (more: string) =>
  `app.use(limitRequests({ limit: rateLimitOf(settings), ${more} })) // or 429`

const proxies: Variable = {
  name: 'TRUSTED_PROXIES',
  value: '0',
  remarks: ['Proxies in front of this server that write X-Forwarded-For.'],
}

const requests = `
/** Requests of one caller, whatever they ask; one more is 429. /health, /ready and /metrics are free. */
export const requests = defineRateLimit({
  /**
   * In a minute, by one valid token, or by one address without a token; with tokens that are made up
   * one address has 10 times as many. Each process counts for itself: n let n times as many pass.
   */
  per_minute: 600,
  /** Sets where that counts: 'production', 'always' (in development and tests too) or 'off'. */
  enforced: 'production',
})`

/** All requests may be one too many, but for those of load balancers. */
const limitInDocument: DocumentPart = {
  around: (operation, { does }) => {
    if (does.is === 'health') return operation
    const { success, failures, invalid } = operation.responses
    return { ...operation, responses: responses(success, [...failures, 429], invalid) }
  },
  components: () => ({ headers, responses: limitedInDocument }),
}

/** Headers of draft-ietf-httpapi-ratelimit-headers. */
const headers: Readonly<Record<string, Data>> = {
  RateLimit: aboutHeader(
    'What is left (`r`), and for how many seconds (`t`); on every answer.',
    'string',
  ),
  'RateLimit-Policy': aboutHeader('How many requests (`q`) in how many seconds (`w`).', 'string'),
}

const limitedInDocument: Readonly<Record<string, Data>> = {
  '429': failure('Too many attempts, or requests.', {
    headers: Object.fromEntries(
      ['RateLimit', 'RateLimit-Policy', 'Retry-After'].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
  }),
}
