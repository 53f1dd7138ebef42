import { z } from 'zod'
import type { Settings } from './kernel/definition.js'
import { SetupError } from './setup-error.js'

/** What `config/svc.ts` may say. Every key may be left out; the defaults are named here. */
export interface SvcConfigInput {
  readonly auth?: {
    /** URI key of the repository whose rows sign in. Read by the generator too. Default `users`. */
    readonly user_model?: string
    /** Minutes a token is valid; null (the default): until it is revoked. */
    readonly token_ttl?: number | null
  }
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

const schema = z.strictObject({
  auth: z
    .strictObject({
      user_model: z.string().min(1).default('users'),
      token_ttl: z.number().positive().nullable().default(null),
    })
    .prefault({}),
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
  const parsed = schema.safeParse(config)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => `  ${explain(issue)}`)
  throw new SetupError(['config/svc.ts is wrong:', ...lines].join('\n'))
}

/** What the repositories need of the config. */
export function settingsOf(config: SvcConfig, explain?: Settings['explain']): Settings {
  return {
    maxPerPage: config.pagination.max_per_page,
    maxIncludeDepth: config.max_include_depth,
    maxRelated: config.limits.related_records,
    strictQueries: config.strict_queries,
    relatedMetaOnIndex: config.related_meta_on_index,
    explain,
  }
}

function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return `${path}: ${issue.message}`
  const parent = path === '' ? '' : `${path}.`
  return `${issue.keys.map((key) => `${parent}${key}`).join(', ')}: there is no such key`
}
