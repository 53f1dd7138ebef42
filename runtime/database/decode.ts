/** Instants of rows written by other tools: other offsets, milliseconds, no zone (then UTC). */
export function parseInstant(stored: unknown): string {
  if (typeof stored !== 'string') return new Date(Number(stored)).toISOString()
  const isZoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(stored.slice(10))
  const text = stored.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const instant = new Date(isZoned || stored.length === 10 ? text : `${text}Z`)
  return Number.isNaN(instant.getTime()) ? stored : instant.toISOString()
}

/** JSON as text; what a driver has parsed stays as it is. */
export function parseJson(stored: unknown): unknown {
  return typeof stored === 'string' ? (JSON.parse(stored) as unknown) : stored
}
