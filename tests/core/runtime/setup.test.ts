import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseEnv, postgresUrl, sqliteUrl } from '../../../runtime/config/env.js'
import { defineConfig, settingsOf } from '../../../runtime/config/server-config.js'
import { defineConfig as defineSignIn } from '../../../runtime/features/sign-in/config.js'
import { defineMiddleware } from '../../../runtime/http/middleware.js'

const sqlite = { DATABASE_URL: sqliteUrl('file:storage/database.sqlite') }

describe('the environment', () => {
  it('has defaults for development', () => {
    expect(parseEnv({}, sqlite)).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: 3000,
      LOG_LEVEL: 'info',
      DATABASE_POOL: 10,
      MIGRATE_ON_START: true,
      DATABASE_URL: 'file:storage/database.sqlite',
    })
    expect(parseEnv({ NODE_ENV: 'production' }, sqlite).HOST).toBe('0.0.0.0')
    expect(parseEnv({ NODE_ENV: 'test' }, sqlite).LOG_LEVEL).toBe('error')
  })

  it('is read as what it means; empty is unset', () => {
    const source = { PORT: '8080', HOST: '', MIGRATE_ON_START: 'false', OTHER: 'x', KEY: '5' }
    const env = parseEnv(source, { ...sqlite, KEY: z.coerce.number() })
    expect(env).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', MIGRATE_ON_START: false, KEY: 5 })
    expect(env).not.toHaveProperty('OTHER')
  })

  it('has two connections at least, since a transaction may read through another', () => {
    expect(() => parseEnv({ DATABASE_POOL: '1' }, sqlite)).toThrow(
      "DATABASE_POOL must be a whole number from 2 to 1000; it is '1'",
    )
  })

  it('names all that is wrong, what is allowed, and the value only where it is no secret', () => {
    const source = {
      NODE_ENV: 'prod',
      PORT: '80a',
      LOG_LEVEL: 'loud',
      APP_URL: 'example.com',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      KEY: 'short',
    }
    const extra = { DATABASE_URL: postgresUrl(), KEY: z.string().min(10), NEEDED: z.string() }
    expect(() => parseEnv(source, extra)).toThrow(
      [
        'The environment is wrong:',
        "  NODE_ENV must be one of development, test, production; it is 'prod'",
        "  PORT must be a whole number from 0 to 65535; it is '80a'",
        "  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; it is 'loud'",
        "  APP_URL must be an http or https URL; it is 'example.com'",
        '  DATABASE_URL must be like postgresql://user:password@host:5432/database',
        '  KEY Too small: expected string to have >=10 characters',
        '  NEEDED is missing',
      ].join('\n'),
    )
  })

  it('says which database this server was made for', () => {
    expect(() => parseEnv({}, { DATABASE_URL: postgresUrl() })).toThrow(
      'DATABASE_URL is missing; must be like postgresql://user:password@host:5432/database',
    )
    expect(() => parseEnv({ DATABASE_URL: 'postgresql://a@b/c' }, sqlite)).toThrow(
      'this server was made for SQLite',
    )
  })
})

describe('config/svc.ts', () => {
  it('may be empty', () => {
    const server = {
      middleware: ['api'],
      pagination: { max_per_page: 100 },
      strict_queries: true,
      strict_bodies: true,
      max_include_depth: 8,
      related_meta_on_index: false,
      cors: { origins: ['*'], credentials: false, max_age: 600 },
      limits: {
        body_bytes: 1_048_576,
        json_depth: 64,
        related_records: 10_000,
        response_bytes: 16_777_216,
        answers_bytes: null,
        statement_ms: 10_000,
        transaction_ms: 5_000,
        bulk_rows: 1_000,
        bulk_bytes: 8_388_608,
        action_rows: 10_000,
      },
      durability: 'full',
    }
    expect(defineConfig({})).toEqual(server)
    expect(settingsOf(defineConfig({}))).toMatchObject({
      maxPerPage: 100,
      maxIncludeDepth: 8,
      maxRelated: 10_000,
      requiresToken: false,
    })
    expect(settingsOf(defineSignIn({}))).toMatchObject({ requiresToken: true })
    expect(defineSignIn({})).toEqual({
      ...server,
      auth: {
        user_model: 'users',
        token_ttl: null,
        user_with: [],
        register_fields: ['name'],
        verify_email: false,
        jwt: null,
      },
      password_reset_url: '{frontend_url}/password/reset?token={token}&email={email}',
      verify_email_url: '{frontend_url}/verify-email?id={id}&emailHash={emailHash}',
      throttles: {
        register: { limit: 6, minutes: 1 },
        login: { limit: 6, minutes: 1 },
        forgotPassword: { limit: 6, minutes: 1 },
        resetPassword: { limit: 6, minutes: 1 },
        verifyEmail: { limit: 6, minutes: 1 },
        sendVerification: { limit: 6, minutes: 60 },
        changeEmail: { limit: 6, minutes: 60 },
        changePassword: { limit: 6, minutes: 1 },
      },
      middleware: ['api', 'auth:token'],
    })
  })

  it('lets links lead to the front end or a host written there, and guards columns', () => {
    const reset = (password_reset_url: string) => () => defineSignIn({ password_reset_url })
    expect(reset('https://app.example/r/{token}?e={email}')).not.toThrow()
    expect(reset('{frontend_url}/r?t={token}')).toThrow('must contain {token} and {email}')
    expect(reset('//evil/{token}/{email}')).toThrow("must start with '{frontend_url}'")
    expect(reset('{frontend_url}.evil/{token}/{email}')).toThrow("must start with '{frontend_url}'")
    expect(() => defineSignIn({ auth: { register_fields: ['is_admin'] } })).toThrow(
      'auth.register_fields: must not contain',
    )
  })

  it('of a project without sign-in may say who signs in, for svc, and no more of it', () => {
    expect(() => defineConfig({ auth: { user_model: null } })).not.toThrow()
    const more = { auth: { token_ttl: 5 }, throttles: {} } as Parameters<typeof defineConfig>[0]
    expect(() => defineConfig(more)).toThrow(
      [
        'config/svc.ts is wrong:',
        '  auth.token_ttl: there is no such key',
        '  throttles: there is no such key',
      ].join('\n'),
    )
  })

  it('that is wrong names every key', () => {
    // Mistakes of a developer without a type checker.
    const wrong = {
      pagination: { max_per_page: 0, per_page: 5 },
      strict_querys: true,
      cors: { origins: ['*'], credentials: true },
      limits: { body_bytes: 1.5 },
    } as unknown as Parameters<typeof defineConfig>[0]
    expect(() => defineConfig(wrong)).toThrow(
      [
        'config/svc.ts is wrong:',
        '  pagination.max_per_page: must be a whole number from 1 to 10000',
        '  pagination.per_page: there is no such key',
        "  cors: credentials need named origins, not '*'",
        '  limits.body_bytes: must be a whole number from 1 to 1073741824',
        '  strict_querys: there is no such key',
      ].join('\n'),
    )
    const path = { cors: { origins: ['https://app.example/'] } }
    expect(() => defineConfig(path)).toThrow("cors.origins.0: must be '*' or an origin")
  })
})

describe('middleware names', () => {
  const first = async () => {}
  const second = async () => {}
  const middleware = defineMiddleware({ api: [], 'auth:token': [first], own: [second] })

  it('become handlers in their order', () => {
    expect(middleware(['api', 'own', 'auth:token'])).toEqual([second, first])
  })

  it('that are not defined stop the start', () => {
    expect(() => middleware(['api', 'auth:tokn'])).toThrow(
      "config/svc.ts: there is no middleware 'auth:tokn'\n  known  api, auth:token, own",
    )
    expect(() => middleware(['constructor'])).toThrow("there is no middleware 'constructor'")
  })
})
