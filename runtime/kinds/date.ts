import { dateTime, sqliteInstant } from './date-time.js'
import { readInstant } from './instant.js'
import { type Decode, like } from './kind.js'

const day = /^\d{4}-\d\d-\d\d$/

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && day.test(value)

const read = (value: unknown): string | undefined =>
  isDay(value) && readInstant(value) !== undefined ? value : undefined

const dayOf = (instant: unknown): string | undefined =>
  instant === undefined ? undefined : String(instant).slice(0, 10)

/** `infinity`, and years that have five digits or `BC`, are days to PostgreSQL too. */
const postgresDay: Decode = (stored) => (isDay(stored) ? stored : undefined)

export const date = like(dateTime, {
  name: 'date',
  says: () => 'a date such as 2026-02-03',
  // The day of an instant, in UTC.
  fromText: (text) => dayOf(readInstant(text)),
  fromJson: read,
  fromCode: (value, digits) => dayOf(dateTime.fromCode(value, digits)),
  type: 'date',
  encode: {
    sqlite: (value) => `${String(value)}T00:00:00.000+00:00`,
    postgresql: dateTime.encode.postgresql,
  },
  decode: { sqlite: () => (stored) => dayOf(sqliteInstant(stored)), postgresql: () => postgresDay },
  declared: ['DATE'],
  isInstant: false,
})
