import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
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
  /** Where people use the front end; links in mails lead there and nowhere else. */
  FRONTEND_APP_URL: url.optional(),
  /** Signs verification links. Development makes one and keeps it in APP_KEY_FILE. */
  APP_KEY: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  APP_KEY_FILE: z.string().default('storage/app.key'),
  /** Instead of the `limit` of every throttle in config/svc.ts. */
  THROTTLE_LIMIT: whole(1, 1_000_000).optional(),
  THROTTLE_STORE: z.enum(['memory', 'database']).default(store),
  /** How many proxies in front of this server add to X-Forwarded-For; 0: the header is ignored. */
  TRUSTED_PROXIES: whole(0, 16).default(0),
})

type CheckedAuthEnv = Values<ReturnType<typeof authEnv>> & {
  readonly NODE_ENV: string
}

/** The environment as signing in uses it: nothing it needs is missing. */
export type AuthEnvironment = Omit<CheckedAuthEnv, keyof MailEnvironment> &
  MailEnvironment & { readonly FRONTEND_APP_URL: string; readonly APP_KEY: string }

/** What is missing, by variable; production must say everything that concerns others. */
export function missingForAuth(env: CheckedAuthEnv): Readonly<Record<string, string>> {
  const isProduction = env.NODE_ENV === 'production'
  const mailer = env.MAIL_MAILER ?? 'log'
  const needed: readonly [keyof CheckedAuthEnv, boolean, string][] = [
    ['FRONTEND_APP_URL', isProduction, 'links in mails lead there'],
    ['APP_KEY', isProduction, 'it signs verification links; make one with: openssl rand -hex 32'],
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

/** In development links outlive the process that mailed them; a test needs no more than its own. */
function keyWithout({ NODE_ENV, APP_KEY_FILE: file }: CheckedAuthEnv): string {
  const key = randomBytes(32).toString('hex')
  if (NODE_ENV !== 'development') return key
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, key, { flag: 'wx', mode: 0o600 })
    return key
  } catch {
    return readKey(file) ?? key
  }
}

/** Null where nothing can be read or written: then the key lasts as long as the process. */
function readKey(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text.length >= 32 ? text : null
  } catch {
    return null
  }
}
