import { pino, type Logger } from 'pino'
import { readableLine } from './readable-log.js'

export type Log = Pick<Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'isLevelEnabled'>

/**
 * JSON lines on stdout; in production in batches, at least each second and at the end. In
 * development, on a terminal, lines for people.
 */
export function createLog(env: Readonly<Record<'LOG_LEVEL' | 'NODE_ENV', string>>): Logger {
  const isProduction = env.NODE_ENV === 'production'
  const destination = isProduction
    ? pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 })
    : env.NODE_ENV === 'development' && process.stdout.isTTY
      ? readable
      : pino.destination({ dest: 1, sync: true })
  return pino({ level: env.LOG_LEVEL, serializers: { err: loggedError } }, destination)
}

const readable = {
  write: (line: string) => {
    const isColored = (process.env['NO_COLOR'] ?? '') === ''
    process.stdout.write(readableLine(line, isColored))
  },
}

/** Drivers hang rows and parameters on their errors, so only these members are logged. */
function loggedError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: loggedError(error.cause) }
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
