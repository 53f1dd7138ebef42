import { existsSync } from 'node:fs'
import { z } from 'zod'
import { SetupError } from '../setup-error.js'

const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1')

/** A whole number written as text. */
export const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

export const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const base = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  /** Default: 127.0.0.1, in production 0.0.0.0. */
  HOST: z.string().optional(),
  PORT: whole(0, 65_535).default(3000),
  /** Default: info, in tests error. */
  LOG_LEVEL: z.enum(levels).optional(),
  /** The address at which clients reach this server, for links. */
  APP_URL: url.optional(),
  /** Connections to PostgreSQL of this process. Two at least: what runs in a transaction may read through `db` beside it. */
  DATABASE_POOL: whole(2, 1000).default(10),
  /** Apply pending migrations when the server starts. */
  MIGRATE_ON_START: flag.default(true),
}

/** The values of these schemas, by name: `z.infer` costs the compiler a hundred times as much. */
export type Values<Schemas extends Record<string, z.core.$ZodType>> = {
  [Name in keyof Schemas]: z.infer<Schemas[Name]>
}

type Base = Values<typeof base>

export type Environment = Base['NODE_ENV']

/** Variables every server has. */
export type ServerEnvironment = Omit<Base, 'HOST' | 'LOG_LEVEL'> & {
  readonly HOST: string
  readonly LOG_LEVEL: (typeof levels)[number]
}

/** A SQLite file: `file:storage/database.sqlite`, a path, or `:memory:`. */
export const sqliteUrl = (fallback: string) =>
  z
    .string()
    .refine((url) => !/^(postgres|postgresql|mysql|https?):/.test(url), {
      error:
        'must be a SQLite file, e.g. file:storage/database.sqlite: this server was made for SQLite',
    })
    .default(fallback)

/** A PostgreSQL server: `postgresql://user:password@host:5432/database`. */
export const postgresUrl = () =>
  z.string({ error: `is missing; ${postgresExample}` }).regex(/^postgres(ql)?:\/\//, {
    error: postgresExample,
  })

const postgresExample = 'must be like postgresql://user:password@host:5432/database'

/**
 * Reads the environment once, at start. A wrong or missing variable stops the server, naming all
 * of them. In development `.env` is read first; what is set already wins.
 *
 * @param extra Variables of this server, and its `DATABASE_URL`.
 * @param missing What is wrong with variables that need each other: a sentence per name.
 * @example parseEnv(process.env, { DATABASE_URL: postgresUrl(), STRIPE_KEY: z.string().min(1) })
 */
export function parseEnv<Extra extends { readonly DATABASE_URL: z.core.$ZodType<string> }>(
  source: Readonly<Record<string, string | undefined>>,
  extra: Extra,
  missing: (values: Base & Values<Extra>) => Readonly<Record<string, string>> = () => ({}),
): ServerEnvironment & Values<Extra> {
  const set = withDotEnv(source)
  const parsed = z.object({ ...base, ...extra }).safeParse(set)
  if (!parsed.success) throw new SetupError(explain(parsed.error, set))
  // The shape of the object above, which TypeScript cannot follow through the two spreads.
  const values = parsed.data as Base & Values<Extra>
  const lines = Object.entries(missing(values)).map(([name, text]) => `  ${name} ${text}`)
  if (lines.length > 0) throw new SetupError(['The environment is wrong:', ...lines].join('\n'))
  return {
    ...values,
    HOST: values.HOST ?? (values.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    LOG_LEVEL: values.LOG_LEVEL ?? (values.NODE_ENV === 'test' ? 'error' : 'info'),
  }
}

type Variables = Readonly<Record<string, string | undefined>>

/** Empty variables count as unset: that is what `PORT=` in a compose file means. */
function withDotEnv(source: Variables): Variables {
  const environment = source['NODE_ENV'] || 'development'
  if (source === process.env && environment === 'development' && existsSync('.env')) {
    process.loadEnvFile('.env')
  }
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

/** Values of these are shown when they are wrong. Others may hold passwords. */
const shown = new Set(Object.keys(base))

function explain(error: z.ZodError, source: Variables): string {
  const lines = error.issues.map((issue) => {
    const name = String(issue.path[0])
    const given = source[name]
    const text =
      given === undefined && !issue.message.includes('missing') ? 'is missing' : sentence(issue)
    const but = given !== undefined && shown.has(name) ? `; it is '${given}'` : ''
    return `  ${name} ${text}${but}`
  })
  return ['The environment is wrong:', ...lines].join('\n')
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  return issue.message
}
