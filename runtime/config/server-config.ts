import { z } from 'zod'
import { checkConfig } from './check-config.js'
import type { Settings } from '../model/entity.js'

/** What `config/svc.ts` may say. Every key may be left out; the defaults are named here. */
export interface SvcConfigInput {
  readonly auth?: {
    /**
     * URI key of the repository whose rows sign in; null: nobody does. Read by the generator too.
     * Default `users`.
     */
    readonly user_model?: string | null
    /** Minutes a token is valid; null (the default): until it is revoked. */
    readonly token_ttl?: number | null
    /**
     * Relations loaded with the signed-in user in the token's statement, for policies: `roles`.
     * Read by the generator too. Default none.
     */
    readonly user_with?: readonly string[]
    /** What registering may set besides e-mail and password. Default `['name']`. */
    readonly register_fields?: readonly string[]
    /** Mail a link after registering; needs a field `email_verified_at`. Default false. */
    readonly verify_email?: boolean
    /** A second provider: tokens of an outside issuer. Default null: none. */
    readonly jwt?: JwtConfig | null
  }
  /**
   * The link in the forgot-password mail, with `{token}` and `{email}`; `{frontend_url}` is
   * FRONTEND_APP_URL. Default `{frontend_url}/password/reset?token={token}&email={email}`.
   */
  readonly password_reset_url?: string
  /**
   * The link in the verification mail, with `{id}` and `{emailHash}`. Default
   * `{frontend_url}/verify-email?id={id}&emailHash={emailHash}`.
   */
  readonly verify_email_url?: string
  /**
   * Attempts per minutes, by address and e-mail together; more is 429. Default 6 per minute, and 6
   * per hour of `sendVerification` and `changeEmail`, which mail to an address somebody chose.
   */
  readonly throttles?: { readonly [Name in ThrottleName]?: Throttle }
  /**
   * Names from app/Http/middleware.ts, in order, before every resource route. `auth:token`
   * answers 401 without a valid bearer token. Default `['api', 'auth:token']`.
   */
  readonly middleware?: readonly string[]
  readonly pagination?: {
    /**
     * Largest page of an index or a related collection; larger requests get this many. Default
     * 100.
     */
    readonly max_per_page?: number
  }
  /**
   * Undeclared include, related and sort keys: ignored (default), or refused with 400 and the
   * keys that exist.
   */
  readonly strict_queries?: boolean
  /** Deepest `include` path; deeper is 400. Default 8. */
  readonly max_include_depth?: number
  /**
   * Show `meta` of related resources on index requests too. `?withMeta=true` asks once. Default
   * false.
   */
  readonly related_meta_on_index?: boolean
  readonly cors?: {
    /** `['*']` (default), or the origins of your front ends: `['https://app.example.com']`. */
    readonly origins?: readonly string[]
    /**
     * Cookies of another origin. Only with named origins; bearer tokens do not need it. Default
     * false.
     */
    readonly credentials?: boolean
    /** Seconds a browser remembers a preflight. Default 600. */
    readonly max_age?: number
  }
  readonly limits?: {
    /** Largest request body in bytes; larger is 413. Default 1,048,576. */
    readonly body_bytes?: number
    /** Deepest nesting of a JSON body; deeper is 400. Default 64. */
    readonly json_depth?: number
    /**
     * Related records one response may hold, each counted as often as it is written out; more is
     * 400. Default 10,000.
     */
    readonly related_records?: number
  }
}

/** Where an outside issuer's tokens come from, and whose they are. */
export interface JwtConfig {
  /** `iss` of its tokens. */
  readonly issuer: string
  /** `aud` of tokens that are meant for this server. */
  readonly audience: string
  /** Where its keys are published. */
  readonly jwks_url: string
  /**
   * The claim that names the user, and the column that holds it: one that no request writes, or
   * `email`, which counts once it was verified here.
   */
  readonly claim: string
  readonly column: string
}

/** What is throttled. */
export type ThrottleName =
  | 'register'
  | 'login'
  | 'forgotPassword'
  | 'resetPassword'
  | 'verifyEmail'
  | 'sendVerification'
  | 'changeEmail'
  | 'changePassword'

export interface Throttle {
  readonly limit: number
  readonly minutes: number
}

const whole = (least: number, most: number) =>
  z
    .number({ error: `must be a whole number from ${least} to ${most}` })
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })

const origin = z.string().regex(/^(\*|https?:\/\/[^/\s*]+)$/, {
  error: "must be '*' or an origin like 'https://app.example.com', without a path",
})

const cors = z
  .strictObject({
    origins: z.array(origin).default(['*']),
    credentials: z.boolean().default(false),
    max_age: whole(0, 86_400).default(600),
  })
  .refine((value) => !(value.credentials && value.origins.includes('*')), {
    error: "credentials need named origins, not '*'",
  })
  .prefault({})

/** A link to the front end, or to a host written here; never to one a request names. */
const link = (...places: readonly string[]) =>
  z
    .string()
    .regex(/^(\{frontend_url\}|https?:\/\/[^/{}\s]+)(?:[/?#]|$)/, {
      error: "must start with '{frontend_url}' or be an http(s) URL",
    })
    .refine((text) => places.every((place) => text.includes(`{${place}}`)), {
      error: `must contain ${places.map((place) => `{${place}}`).join(' and ')}`,
    })

const throttle = (limit: number, minutes = 1) =>
  z.strictObject({ limit: whole(1, 1_000_000), minutes: whole(1, 1440) }).default({
    limit,
    minutes,
  })

const throttles = z
  .strictObject({
    register: throttle(6),
    login: throttle(6),
    forgotPassword: throttle(6),
    resetPassword: throttle(6),
    verifyEmail: throttle(6),
    sendVerification: throttle(6, 60),
    changeEmail: throttle(6, 60),
    changePassword: throttle(6),
  })
  .prefault({})

const secureUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })

const jwt = z
  .strictObject({
    issuer: z.string().min(1),
    audience: z.string().min(1),
    jwks_url: secureUrl,
    claim: z.string().min(1),
    column: z.string().min(1),
  })
  .nullable()
  .default(null)

/** Never set by registering, whatever the config says. */
const guarded = ['id', 'password', 'email', 'email_verified_at', 'is_admin']

const registerFields = z
  .array(z.string())
  .refine((names) => !names.some((name) => guarded.includes(name)), {
    error: `must not contain ${guarded.join(', ')}`,
  })
  .default(['name'])

const schema = z.strictObject({
  auth: z
    .strictObject({
      user_model: z.string().min(1).nullable().default('users'),
      token_ttl: z.number().positive().nullable().default(null),
      user_with: z.array(z.string()).default([]),
      register_fields: registerFields,
      verify_email: z.boolean().default(false),
      jwt,
    })
    .prefault({}),
  password_reset_url: link('token', 'email').default(
    '{frontend_url}/password/reset?token={token}&email={email}',
  ),
  verify_email_url: link('id', 'emailHash').default(
    '{frontend_url}/verify-email?id={id}&emailHash={emailHash}',
  ),
  throttles,
  middleware: z.array(z.string()).default(['api', 'auth:token']),
  pagination: z.strictObject({ max_per_page: whole(1, 10_000).default(100) }).prefault({}),
  strict_queries: z.boolean().default(false),
  max_include_depth: whole(1, 32).default(8),
  related_meta_on_index: z.boolean().default(false),
  cors,
  limits: z
    .strictObject({
      body_bytes: whole(1, 1_073_741_824).default(1_048_576),
      json_depth: whole(1, 512).default(64),
      related_records: whole(1, 1_000_000).default(10_000),
    })
    .prefault({}),
})

/** The config with every key filled in. */
export type SvcConfig = Readonly<z.output<typeof schema>>

/** Checks `config/svc.ts` when it is loaded; a wrong or unknown key stops the start, naming it. */
export function defineConfig(config: SvcConfigInput): SvcConfig {
  return checkConfig('config/svc.ts', schema, config)
}

/** What the repositories need of the config. */
export function settingsOf(config: SvcConfig, explain?: Settings['explain']): Settings {
  return {
    maxPerPage: config.pagination.max_per_page,
    maxIncludeDepth: config.max_include_depth,
    maxRelated: config.limits.related_records,
    strictQueries: config.strict_queries,
    relatedMetaOnIndex: config.related_meta_on_index,
    requiresToken: config.middleware.some((name) => name.startsWith('auth:')),
    explain,
  }
}
