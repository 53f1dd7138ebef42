import type { Connection, Parameter } from '../../database/types.js'

type HasCodecs = Pick<Connection, 'codecs'>

/** A moment in milliseconds, now unless given, as the database stores it. */
export function storedTime({ codecs }: HasCodecs, moment = Date.now()): Parameter {
  const text = new Date(moment).toISOString()
  return codecs.encoder('dateTime')?.(text) ?? text
}

/** A stored time as ISO text; null where there is none. */
export function readTime({ codecs }: HasCodecs, stored: unknown): string | null {
  if (stored === null || stored === undefined) return null
  return String(codecs.decoder('dateTime', 0)?.(stored) ?? stored)
}
