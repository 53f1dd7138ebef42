import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'
import { serverKeys, whole } from '../../config/server-config.js'

/** A link to the front end, or to a host written here; never to one a request names. */
const link = (...places: readonly string[]) =>
  z
    .string()
    .regex(/^(\{frontend_url\}|https?:\/\/[^/{}\s]+)(?:[/?#]|$)/, {
      error: "must start with '{frontend_url}' or be an http(s) URL",
    })
    .refine((text) => places.every((place) => text.includes(place)), {
      error: `must contain ${places.join(' and ')}`,
    })

const throttle = (limit: number, minutes = 1) =>
  z
    .strictObject({ limit: whole(1, 1_000_000), minutes: whole(1, 1440) })
    .default({ limit, minutes })

/** The issuer of tokens from outside, and how they name users. */
const jwt = z.strictObject({
  /** `iss` of its tokens. */
  issuer: z.string().min(1),
  /** `aud` of tokens that are meant for this server. */
  audience: z.string().min(1),
  /** The address of its public keys. */
  jwks_url: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }),
  /** The claim that names the user. */
  claim: z.string().min(1),
  /** The column that holds it, which no request writes; or `email`, once it was verified here. */
  column: z.string().min(1),
})

/** Never set by registering, whatever the config says. */
const neverRegistered = ['id', 'password', 'email', 'email_verified_at', 'is_admin']

const registerFields = z
  .array(z.string())
  .refine((names) => !names.some((name) => neverRegistered.includes(name)), {
    error: `must not contain ${neverRegistered.join(', ')}`,
  })

const schema = z.strictObject({
  ...serverKeys,
  auth: z
    .strictObject({
      /** URI key of the repository whose rows sign in, for svc too; null: none. Default `users`. */
      user_model: z.string().min(1).nullable().default('users'),
      /** Minutes a token is valid; null (the default): until it is revoked. */
      token_ttl: z.number().positive().nullable().default(null),
      /**
       * Relations loaded with the signed-in user in the token's statement, for policies: `roles`.
       * Read by svc too. Default none.
       */
      user_with: z.array(z.string()).default([]),
      /** Fields that registering may set besides e-mail and password. Default `['name']`. */
      register_fields: registerFields.default(['name']),
      /** Mail a link after registering; needs a field `email_verified_at`. Default false. */
      verify_email: z.boolean().default(false),
      /** A second provider: tokens of an outside issuer. Default null: none. */
      jwt: jwt.nullable().default(null),
    })
    .prefault({}),
  /**
   * The link in the forgot-password mail, with `{token}` and `{email}`; `{frontend_url}` is
   * FRONTEND_APP_URL. Default `{frontend_url}/password/reset?token={token}&email={email}`.
   */
  password_reset_url: link('{token}', '{email}').default(
    '{frontend_url}/password/reset?token={token}&email={email}',
  ),
  /**
   * The link in the verification mail, with `{id}` and `{emailHash}`. Default
   * `{frontend_url}/verify-email?id={id}&emailHash={emailHash}`.
   */
  verify_email_url: link('{id}', '{emailHash}').default(
    '{frontend_url}/verify-email?id={id}&emailHash={emailHash}',
  ),
  /**
   * Attempts per minutes, by address and e-mail together; more is 429. Default 6 per minute, and 6
   * per hour of `sendVerification` and `changeEmail`, which mail to an address somebody chose.
   * `changeEmail` counts by user, on every surface.
   */
  throttles: z
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
    .prefault({}),
  /**
   * Names from app/Http/middleware.ts, in order, before every resource route. `auth:token`
   * answers 401 without a valid bearer token. Default `['api', 'auth:token']`.
   */
  middleware: z.array(z.string()).default(['api', 'auth:token']),
})

/** The type of `config/svc.ts` where there is an auth repository. Every key may be left out. */
export interface SignInConfigInput extends z.input<typeof schema> {}

/** The config with every key filled in. */
export interface SignInConfig extends Readonly<z.output<typeof schema>> {}

/** Names of the throttles. */
export type ThrottleName = keyof SignInConfig['throttles']

export type Throttle = SignInConfig['throttles'][ThrottleName]

/** Checks `config/svc.ts` when it is loaded; a wrong or unknown key stops the start, naming it. */
export function defineConfig(config: SignInConfigInput): SignInConfig {
  return checkConfig('config/svc.ts', schema, config)
}
