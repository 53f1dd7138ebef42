import type { Database } from '../../database/types.js'
import type { Log } from '../../http/log.js'
import type { AnyRepository } from '../../operations/repository.js'
import { SetupError } from '../../setup-error.js'
import { sql } from '../../sql/sql.js'
import type { Mailer } from '../mail/mail.js'
import type { SignInConfig } from './config.js'
import type { AuthEnvironment } from './env.js'
import { preparePasswords } from './password.js'
import { startWarnings } from './start-warnings.js'
import type { Throttles } from './throttle.js'
import { createThrottled } from './throttled.js'
import type { UserSource } from './users.js'

/** Every user can sign in by e-mail. */
export interface AnyUser {
  readonly id: number | string
  readonly email: string
}

interface AuthOptions<User extends AnyUser> {
  readonly log: Log
  readonly config: SignInConfig
  readonly env: AuthEnvironment
  readonly mailer: Mailer
  readonly throttles: Throttles
  /** Validates, hashes and serializes users. */
  readonly repository: AnyRepository
  readonly users: UserSource<User>
  /** Finds users by tokens of an outside issuer, where `auth.jwt` of config/svc.ts names one. */
  readonly findByJwt?: ((token: string) => Promise<User | null>) | null
}

/** Whose id the log names when what follows its answer fails. */
export interface ForRequest {
  readonly requestId?: string
}

/** The actions of signing in share this. */
export interface Auth<User extends AnyUser = AnyUser>
  extends AuthOptions<User>, ReturnType<typeof createThrottled> {
  readonly database: Database
  /** Counts a request against its route and, where it names an e-mail, against that. */
  readonly throttle: Throttles['request']
  /** Counts the address alone, before the body is read. */
  readonly throttleAddress: Throttles['address']
  /** The user as policies know them, or null. */
  find(id: number | string): Promise<User | null>
  /** Runs what the answer must not wait for; a failure is logged with the request's id. */
  afterwards(what: string, work: () => Promise<unknown>, by?: ForRequest): void
  /** Resolves when all of that is done. */
  settled(): Promise<void>
}

/** Checks the settings, and starts what signing in needs in the background. */
export function createAuth<User extends AnyUser>(options: AuthOptions<User>): Auth<User> {
  const { users, log, throttles, config, findByJwt } = options
  if (config.auth.jwt !== null && findByJwt === undefined) throw new SetupError(withoutJwt)
  const { database } = users.entity
  const { afterwards, settled } = createBackground(log)
  afterwards('preparing passwords', preparePasswords)
  for (const warning of startWarnings(options)) log.warn(warning)
  return {
    ...options,
    ...createThrottled(throttles),
    database,
    throttle: throttles.request,
    throttleAddress: throttles.address,
    find: async (userId) => (await users.where(sql`u.id = ${userId}`))[0] ?? null,
    afterwards,
    settled,
  }
}

const withoutJwt =
  'config/svc.ts: auth.jwt needs what app/auth.ts does not have yet\n' +
  '  fix    run `svc generate`, which looks for `jwt:` in that file and adds it'

function createBackground(log: Log) {
  const running = new Set<Promise<void>>()
  const run = async (
    what: string,
    work: () => Promise<unknown>,
    { requestId }: ForRequest = {},
  ) => {
    await new Promise<void>((resolve) => void setImmediate(resolve))
    await work().catch((err: unknown) => log.error({ requestId, err }, `${what} failed`))
  }
  return {
    afterwards: (...given: Parameters<typeof run>) => {
      const task = run(...given)
      running.add(task)
      void task.finally(() => running.delete(task))
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
