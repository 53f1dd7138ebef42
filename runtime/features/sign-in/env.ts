import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

/** Where throttles count: in this process, or in the database for all processes. */
type ThrottleStore = 'memory' | 'database'

/**
 * The variables that signing in and its mail need. Outside of production all have a value to
 * develop with.
 */
export const authEnv = (store: ThrottleStore) => ({
  /** Where people use the front end; links in mails lead there and nowhere else. */
  FRONTEND_APP_URL: url.optional(),
  /** Signs verification links. Development makes one and keeps it in APP_KEY_FILE. */
  APP_KEY: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  APP_KEY_FILE: z.string().default('storage/app.key'),
  MAIL_MAILER: z.enum(['log', 'resend', 'smtp']).optional(),
  /** `Shop <no-reply@shop.example>` */
  MAIL_FROM: z.string().regex(/@/, { error: 'must be an e-mail address' }).optional(),
  /** The file the `log` mailer writes besides the log. */
  MAIL_LOG: z.string().default('storage/logs/mail.log'),
  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: url.optional(),
  SMTP_HOST: z.string().min(1).optional(),
  SMTP_PORT: whole(1, 65_535).default(587),
  /** TLS from the first byte (port 465). Otherwise STARTTLS is used where the server offers it. */
  SMTP_SECURE: z.enum(['true', 'false']).default('false'),
  SMTP_USERNAME: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  /** Instead of the `limit` of every throttle in config/svc.ts. */
  THROTTLE_LIMIT: whole(1, 1_000_000).optional(),
  THROTTLE_STORE: z.enum(['memory', 'database']).default(store),
  /** How many proxies in front of this server add to X-Forwarded-For; 0: the header is ignored. */
  TRUSTED_PROXIES: whole(0, 16).default(0),
})

type Checked = z.infer<z.ZodObject<ReturnType<typeof authEnv>>> & { readonly NODE_ENV: string }

type Filled = 'FRONTEND_APP_URL' | 'APP_KEY' | 'MAIL_MAILER' | 'MAIL_FROM'

/** The environment as signing in uses it: nothing it needs is missing. */
export type AuthEnvironment = Omit<Checked, Filled> & {
  readonly [Name in Filled]-?: NonNullable<Checked[Name]>
}

/** What is missing, by variable; production must say everything that concerns others. */
export function missingForAuth(env: Checked): Readonly<Record<string, string>> {
  const isProduction = env.NODE_ENV === 'production'
  const mails = env.MAIL_MAILER === 'resend' || env.MAIL_MAILER === 'smtp'
  const needed: readonly [keyof Checked, boolean, string][] = [
    ['FRONTEND_APP_URL', isProduction, 'links in mails lead there'],
    ['APP_KEY', isProduction, 'it signs verification links; make one with: openssl rand -hex 32'],
    ['MAIL_MAILER', isProduction, 'one of log, resend, smtp'],
    ['MAIL_FROM', mails, 'the sender of mails, such as Shop <no-reply@shop.example>'],
    ['RESEND_API_KEY', env.MAIL_MAILER === 'resend', 'MAIL_MAILER is resend'],
    ['SMTP_HOST', env.MAIL_MAILER === 'smtp', 'MAIL_MAILER is smtp'],
  ]
  const missing = needed.filter(([name, isNeeded]) => isNeeded && env[name] === undefined)
  return Object.fromEntries(missing.map(([name, , why]) => [name, `is missing: ${why}`]))
}

/** Fills in what development may leave out. */
export function withAuthDefaults<Env extends Checked>(env: Env): Env & AuthEnvironment {
  return {
    ...env,
    FRONTEND_APP_URL: env.FRONTEND_APP_URL ?? 'http://localhost:5173',
    APP_KEY: env.APP_KEY ?? keyWithout(env),
    MAIL_MAILER: env.MAIL_MAILER ?? 'log',
    MAIL_FROM: env.MAIL_FROM ?? 'no-reply@localhost',
  }
}

/** In development links outlive the process that mailed them; a test needs no more than its own. */
function keyWithout({ NODE_ENV, APP_KEY_FILE }: Checked): string {
  const key = randomBytes(32).toString('hex')
  return NODE_ENV === 'development' ? keptKey(APP_KEY_FILE, key) : key
}

/** The key in the file, which is made with this one when it is not there. */
function keptKey(file: string, key: string): string {
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
