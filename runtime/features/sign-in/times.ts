import { dateTime } from '../../kinds/date-time.js'
import type { Dialect, Parameter } from '../../kinds/kind.js'

interface HasDialect {
  readonly dialect: Dialect
}

/** A moment in milliseconds, now unless given, as the database stores it. */
export const storedTime = ({ dialect }: HasDialect, moment = Date.now()): Parameter =>
  dateTime.encode[dialect](new Date(moment).toISOString())

/** A stored time as ISO text; null where there is none. */
export function readTime({ dialect }: HasDialect, stored: unknown): string | null {
  if (stored === null || stored === undefined) return null
  return String(dateTime.decode[dialect]?.(0)(stored) ?? stored)
}
