import type { SvcConfig } from '../../config/server-config.js'
import type { Database } from '../../database/types.js'
import type { Log } from '../../http/log.js'
import type { AnyRepository } from '../../operations/repository.js'
import type { Mail, Mailer } from '../mail/mail.js'
import type { AuthEnvironment } from './env.js'
import { preparePasswords } from './password.js'
import { startWarnings } from './start-warnings.js'
import { createThrottle } from './throttle.js'
import { mark, named, quoted, userReader, type UserSource } from './users.js'

/** Every user can sign in by e-mail. */
export interface AnyUser {
  readonly id: number | string
  readonly email: string
}

interface AuthOptions<User extends AnyUser> {
  readonly database: Database
  readonly log: Log
  readonly config: SvcConfig
  readonly env: AuthEnvironment
  readonly mailer: Mailer
  /** Validates, hashes and serializes users. */
  readonly repository: AnyRepository
  readonly users: UserSource<User>
}

/** What the actions of signing in work with. */
export interface Auth<User extends AnyUser> extends AuthOptions<User> {
  readonly throttle: ReturnType<typeof createThrottle>
  /** The user as policies know them, or null. */
  find(id: number | string): Promise<User | null>
  /** Runs what the answer must not wait for, after it; a failure is logged. */
  afterwards(what: string, work: () => Promise<void>): void
  /** Resolves when all of that is done. */
  settled(): Promise<void>
}

/** Makes it from the parts of one server. */
export function createAuth<User extends AnyUser>(options: AuthOptions<User>): Auth<User> {
  const { database, config, env, users, log } = options
  const reader = userReader(users, database)
  const where = `WHERE u.id = ${mark(database.dialect, 1)}`
  const byId = named('read', `SELECT ${reader.selection} FROM ${quoted(users.table)} u ${where}`)
  const { afterwards, settled } = createBackground(log)
  afterwards('preparing passwords', preparePasswords)
  for (const warning of startWarnings(options)) log.warn(warning)
  return {
    ...options,
    throttle: createThrottle({
      throttles: config.throttles,
      limit: env.THROTTLE_LIMIT,
      store: env.THROTTLE_STORE,
      database,
      trustedProxies: env.TRUSTED_PROXIES,
    }),
    find: async (id) => {
      const [row] = await database.query(byId, [id])
      return row === undefined ? null : reader.read(row, 0)
    },
    afterwards,
    settled,
  }
}

/**
 * Writes and sends a mail after the answer: how long it takes, and whether it works, is nobody's
 * business.
 */
export function mailAfterwards<User extends AnyUser>(
  { afterwards, mailer }: Auth<User>,
  write: () => Mail,
): void {
  afterwards('sending a mail', async () => mailer.send(write()))
}

function createBackground(log: Log) {
  const running = new Set<Promise<void>>()
  const run = async (what: string, work: () => Promise<void>) => {
    await new Promise<void>((resolve) => void setImmediate(resolve))
    await work().catch((error: unknown) => log.error({ err: error }, `${what} failed`))
  }
  return {
    afterwards: (what: string, work: () => Promise<void>) => {
      const task = run(what, work)
      running.add(task)
      void task.finally(() => running.delete(task))
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
