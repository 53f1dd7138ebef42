import pg from 'pg'

type Parse = (text: string) => unknown

const asText: Parse = (text) => text
const asBoolean: Parse = (text) => text === 't'

/**
 * The kernel decodes by its own column kinds: numbers and booleans are themselves, everything
 * else is the text sent.
 */
const forKernel = new Map<number, Parse>([
  [pg.types.builtins.BOOL, asBoolean],
  [pg.types.builtins.INT2, Number],
  [pg.types.builtins.INT4, Number],
  [pg.types.builtins.OID, Number],
  [pg.types.builtins.FLOAT4, Number],
  [pg.types.builtins.FLOAT8, Number],
])

export const kernelTypes = { getTypeParser: (oid: number) => forKernel.get(oid) ?? asText }

/**
 * The session speaks UTC: `2026-02-03 04:05:06.789+00`. `infinity` and years before Christ stay
 * as they are.
 */
const asInstant: Parse = (text) => {
  const instant = new Date(
    `${text.slice(0, 19).replace(' ', 'T')}${text.slice(19).replace('+00', '')}Z`,
  )
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString()
}
const asCount: Parse = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)

/** For your own queries: what the row types of app/Models.ts say. */
const forRows = new Map<number, Parse>([
  [pg.types.builtins.INT8, asCount],
  [pg.types.builtins.TIMESTAMPTZ, asInstant],
  [pg.types.builtins.TIMESTAMP, asInstant],
  // Not a Date: node-pg would make it midnight of this machine's time zone.
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.NUMERIC, asText],
])

export const rowTypes = {
  getTypeParser: (oid: number): Parse => forRows.get(oid) ?? pg.types.getTypeParser(oid),
}

/** Dates are sent in UTC; node-pg would write them in this machine's time zone. */
export function encode(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
