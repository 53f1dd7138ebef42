import { z } from 'zod'
import { appKeyEnv, keyWithout, makeOne } from '../../config/app-key.js'
import { url, type Values, whole } from '../../config/env.js'
import { mailEnv, type MailEnvironment } from '../mail/env.js'

/**
 * The variables that signing in and its mail need. Outside of production all have a value to
 * develop with.
 *
 * @param store Where throttles count: in this process, or in the database for all processes.
 */
export const authEnv = (store: 'memory' | 'database') => ({
  ...mailEnv,
  /** The address of the front end; links in mails lead there and nowhere else. */
  FRONTEND_APP_URL: url.optional(),
  ...appKeyEnv,
  /** Instead of the `limit` of every throttle in config/svc.ts. */
  THROTTLE_LIMIT: whole(1, 1_000_000).optional(),
  THROTTLE_STORE: z.enum(['memory', 'database']).default(store),
  /**
   * The number of proxies in front of this server that add to X-Forwarded-For; 0: the header is
   * ignored.
   */
  TRUSTED_PROXIES: whole(0, 16).default(0),
})

type CheckedAuthEnv = Values<ReturnType<typeof authEnv>> & {
  readonly NODE_ENV: string
}

/** The environment as signing in uses it: nothing it needs is missing. */
export type AuthEnvironment = Omit<CheckedAuthEnv, keyof MailEnvironment> &
  MailEnvironment & { readonly FRONTEND_APP_URL: string; readonly APP_KEY: string }

/** Lists the missing variables; production must set everything that concerns others. */
export function missingForAuth(env: CheckedAuthEnv): Readonly<Record<string, string>> {
  const isProduction = env.NODE_ENV === 'production'
  const mailer = env.MAIL_MAILER ?? 'log'
  const needed: readonly [keyof CheckedAuthEnv, boolean, string][] = [
    ['FRONTEND_APP_URL', isProduction, 'links in mails lead there'],
    ['APP_KEY', isProduction, makeOne('verification links')],
    ['MAIL_MAILER', isProduction, 'one of log, resend, smtp'],
    ['MAIL_FROM', mailer !== 'log', 'the sender of mails, such as no-reply@example.com'],
    ['RESEND_API_KEY', mailer === 'resend', 'MAIL_MAILER is resend'],
    ['SMTP_HOST', mailer === 'smtp', 'MAIL_MAILER is smtp'],
  ]
  const missing = needed.filter(([name, isNeeded]) => isNeeded && env[name] === undefined)
  return Object.fromEntries(missing.map(([name, , why]) => [name, `is missing: ${why}`]))
}

/** Fills in what development may leave out. */
export function withAuthDefaults<Env extends CheckedAuthEnv>(env: Env): Env & AuthEnvironment {
  return {
    ...env,
    FRONTEND_APP_URL: env.FRONTEND_APP_URL ?? 'http://localhost:5173',
    APP_KEY: env.APP_KEY ?? keyWithout(env),
    MAIL_MAILER: env.MAIL_MAILER ?? 'log',
    MAIL_FROM: env.MAIL_FROM ?? 'no-reply@localhost',
  }
}
