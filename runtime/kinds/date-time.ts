import { parseInstant, readInstant } from './instant.js'
import { like } from './kind.js'
import { text } from './text.js'

/** Text compares right only when every writer uses one form, and Prisma's ends in `+00:00`. */
const storedInstant = (value: unknown): string => `${String(value).slice(0, 23)}+00:00`

export function sqliteInstant(stored: unknown): string | undefined {
  if (typeof stored === 'string' && stored.length === 29 && stored.endsWith('+00:00')) {
    return `${stored.slice(0, 23)}Z`
  }
  return parseInstant(stored)
}

/** `2026-02-03 04:05:06.78+00`: sessions are in UTC, and PostgreSQL omits zeros at the end. */
export function postgresInstant(stored: unknown): string | undefined {
  if (typeof stored !== 'string' || !stored.endsWith('+00') || stored.charCodeAt(4) !== 45) {
    return parseInstant(stored)
  }
  const fraction = stored.length > 22 ? stored.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  return `${stored.slice(0, 10)}T${stored.slice(11, 19)}.${fraction}Z`
}

const read = (value: unknown): string | undefined =>
  typeof value === 'string' ? readInstant(value) : undefined

/** A `Date` becomes its text. */
function fromCode(value: unknown): string | undefined {
  const isText = typeof value === 'string'
  if (isText && value.length === 24 && value.endsWith('Z')) return value
  const instant = value instanceof Date ? value : new Date(isText ? value : Number.NaN)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

export const dateTime = like(text, {
  name: 'dateTime',
  says: () => 'a date or a time such as 2026-02-03T04:05:06Z',
  fromText: read,
  fromJson: read,
  fromCode,
  type: 'timestamptz',
  encode: { sqlite: storedInstant, postgresql: text.encode.postgresql },
  decode: { sqlite: () => sqliteInstant, postgresql: () => postgresInstant },
  declared: ['DATETIME', 'TIMESTAMP'],
  isText: false,
  isInstant: true,
  isTime: true,
  isLong: false,
  isPlain: false,
})
