/** Both databases hold the years 1 to 9999. */
export const isStorableInstant = (iso: string): boolean =>
  iso.length === 24 && !iso.startsWith('0000')

const instant = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** ISO text in UTC with milliseconds; no zone is UTC. Undefined: there is no such time. */
export function readInstant(text: string): string | undefined {
  if (isAsWritten(text)) return isStorableInstant(text) ? text : undefined
  const match = instant.exec(text)
  if (match === null) return undefined
  const zoned = text.length === 10 || match[1] !== undefined ? text : `${text}Z`
  const time = new Date(
    zoned
      .replace(' ', 'T')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
      .toUpperCase(),
  )
  if (Number.isNaN(time.getTime()) || !sameDay(text, time, match[1])) return undefined
  const iso = time.toISOString()
  return isStorableInstant(iso) ? iso : undefined
}

/** As JavaScript itself writes it, and most clients send it. */
function isAsWritten(text: string): boolean {
  if (text.length !== 24) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** JavaScript reads February 30 as March 2, which was not meant. */
function sameDay(text: string, time: Date, zone: string | undefined): boolean {
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime())) return false
  const isZoned = zone !== undefined && zone.toUpperCase() !== 'Z'
  return isZoned || text.length === 10
    ? midnight.toISOString().startsWith(text.slice(0, 10))
    : time.toISOString().startsWith(text.slice(0, 10))
}

/** Instants of rows written by other tools: other offsets, milliseconds, no zone (then UTC). Undefined: it is none. */
export function parseInstant(stored: unknown): string | undefined {
  if (typeof stored === 'number') return isoOf(new Date(stored))
  if (typeof stored !== 'string') return undefined
  if (stored.length === 10) return isoOf(new Date(stored)) // a day, which begins in UTC
  const isZoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(stored.slice(10))
  const text = stored.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  return isoOf(new Date(isZoned ? text : `${text}Z`))
}

function isoOf(instant: Date): string | undefined {
  if (Number.isNaN(instant.getTime())) return undefined
  const iso = instant.toISOString()
  return isStorableInstant(iso) ? iso : undefined
}
