import { z } from 'zod'
import { checkConfig } from './check-config.js'

export const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z
    .number({ error })
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, { error })
}

const origin = z.string().regex(/^(\*|https?:\/\/[^/\s*]+)$/, {
  error: "must be '*' or an origin like 'https://app.example.com', without a path",
})

/** Keys of `config/svc.ts` that every server has; features spread them and add theirs. */
export const serverKeys = {
  auth: z
    .strictObject({
      /** URI key of the repository whose rows sign in; null: there is none. Read by svc. */
      user_model: z.string().min(1).nullable().optional(),
    })
    .optional(),
  /** Names from app/Http/middleware.ts, run before every resource route. Default `['api']`. */
  middleware: z.array(z.string()).default(['api']),
  pagination: z
    .strictObject({
      /** Largest page of an index or a related collection; more is cut to it. Default 100. */
      max_per_page: whole(1, 10_000).default(100),
    })
    .prefault({}),
  /** Unknown parameters and keys of include and sort: 400 with those that exist (default), or ignored. */
  strict_queries: z.boolean().default(true),
  /** Keys of a body that nothing reads: 422 with what was meant (default), or ignored. */
  strict_bodies: z.boolean().default(true),
  /** Deepest `include` path; deeper is 400. Default 8. */
  max_include_depth: whole(1, 32).default(8),
  /** Show `meta` of related resources on an index. `?withMeta=true` asks once. Default false. */
  related_meta_on_index: z.boolean().default(false),
  cors: z
    .strictObject({
      /** `['*']` (default), or the origins of your front ends: `['https://app.example.com']`. */
      origins: z.array(origin).default(['*']),
      /** Cookies of other origins, which must be named; bearer tokens need none. Default false. */
      credentials: z.boolean().default(false),
      /** Seconds a browser remembers a preflight. Default 600. */
      max_age: whole(0, 86_400).default(600),
    })
    .refine(({ credentials, origins }) => !(credentials && origins.includes('*')), {
      error: "credentials need named origins, not '*'",
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Largest request body in bytes; larger is 413. Default 1,048,576. */
      body_bytes: whole(1, 1_073_741_824).default(1_048_576),
      /** Deepest nesting of a JSON body; deeper is 400. Default 64. */
      json_depth: whole(1, 512).default(64),
      /**
       * Related records one response may hold, each counted as often as it is written out; more is
       * 400. Default 10,000.
       */
      related_records: whole(1, 1_000_000).default(10_000),
      /** Largest answer in bytes; larger is 400, and is not built. Default 16,777,216. */
      response_bytes: whole(1, 268_435_456).default(16_777_216),
      /**
       * Bytes of memory that all answers may take together while they are built or not read yet;
       * more requests wait, for 10 s at most, and then are 503. Null (default): half of the heap
       * that Node may have, or a third of the container's memory if that is less.
       */
      answers_bytes: whole(1_048_576, 1_099_511_627_776).nullable().default(null),
      /**
       * Milliseconds a statement may take, then it is ended: 503, or 400 for a search or filter. 0:
       * as long as it takes. SQLite ends only reads of many rows. Default 10,000.
       */
      statement_ms: whole(0, 3_600_000).default(10_000),
      /**
       * Milliseconds a transaction with hooks inside, or mutations together, may be open; then it is
       * rolled back: 503. Default 5,000.
       */
      transaction_ms: whole(1, 600_000).default(5_000),
      /** Records of one bulk request; more is 413. Default 1,000. */
      bulk_rows: whole(1, 100_000).default(1_000),
      /** Largest body of one in bytes, in place of `body_bytes`. Default 8,388,608. */
      bulk_bytes: whole(1, 1_073_741_824).default(8_388_608),
      /** Records that an action on all of them takes; more is 409. Default 10,000. */
      action_rows: whole(1, 10_000_000).default(10_000),
    })
    .prefault({}),
  /**
   * `full` (default): a write is answered when the disk has it (PostgreSQL: as its
   * `synchronous_commit` says). `relaxed`: before that; a power cut loses the last ones.
   */
  durability: z.enum(['full', 'relaxed']).default('full'),
}

const schema = z.strictObject(serverKeys)

/** The type of `config/svc.ts`. Every key may be left out. */
export interface SvcConfigInput extends z.input<typeof schema> {}

/** The config with every key filled in. */
export interface SvcConfig extends Readonly<z.output<typeof schema>> {}

/** Checks `config/svc.ts` when it is loaded; a wrong or unknown key stops the start, naming it. */
export function defineConfig(config: SvcConfigInput): SvcConfig {
  return checkConfig('config/svc.ts', schema, config)
}

/**
 * What the repositories need of the config.
 *
 * @param log Development: the log that says which rule denied a request or emptied a list.
 * @param queries Checks the parameters of a request, unless `strict_queries` is false.
 * @param bodies Checks the keys of a body, unless `strict_bodies` is false.
 */
export function settingsOf<Queries = never, Bodies = never>(
  config: SvcConfig,
  log: { readonly warn: (message: string) => void } | null = null,
  queries: Queries | null = null,
  bodies: Bodies | null = null,
) {
  return {
    maxPerPage: config.pagination.max_per_page,
    maxIncludeDepth: config.max_include_depth,
    maxRelated: config.limits.related_records,
    maxResponse: config.limits.response_bytes,
    strict: config.strict_queries ? queries : null,
    strictBodies: config.strict_bodies ? bodies : null,
    relatedMetaOnIndex: config.related_meta_on_index,
    /** True if a request needs a token, unless it reads a public repository. */
    requiresToken: hasGuard(config.middleware),
    ...(log === null ? {} : { explain: (message: string) => log.warn(message) }),
  }
}

/** Returns true if a name of `middleware` answers 401 to some: `auth:token`, or one of your own. */
export const isGuard = (name: string): boolean =>
  name.startsWith('auth:') && name !== 'auth:optional'

export const hasGuard = (names: readonly string[]): boolean => names.some(isGuard)
