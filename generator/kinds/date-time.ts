import { dateTime as stored } from '../../runtime/kinds/date-time.js'
import { noDigits } from '../../runtime/kinds/kind.js'
import type { JsonValue } from '../manifest/field-types.js'
import type { Kind, PrismaDefault } from './kind.js'
import { valueOf } from './literal.js'
import { usualRule } from './rule.js'
import { texts } from './schema.js'
import { asText, count } from './text/text.js'

/** A request may leave the zone out, and means UTC; in a manifest it would be the zone of whoever reads it. */
const isZoned = /T.*(Z|[+-]\d{2}:\d{2})$/

const read = (written: unknown): string | undefined =>
  typeof written === 'string' && isZoned.test(written)
    ? asText(stored.fromJson(written, noDigits))
    : undefined

/** On SQLite Prisma would write a blank in the middle. */
export function instantDefault(
  value: JsonValue,
  _: unknown,
  database: 'sqlite' | 'postgresql',
): PrismaDefault {
  const instant = new Date(String(value)).toISOString()
  return database === 'sqlite' ? { sql: instant.replace('Z', '+00:00') } : { text: instant }
}

const usual = [
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2000-02-29T12:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
]

export const dateTime: Kind<'dateTime', 'dateTime'> = {
  name: 'dateTime',
  storage: 'dateTime',
  group: 'dateTime',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['datetime', 'between'],
  bound: count,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: {
    says: "an instant with its zone, as '2026-02-03T04:05:06Z'",
    example: ".default('2026-02-03T04:05:06Z')",
    read,
  },
  typescript: 'string',
  graphql: 'String',
  isList: false,
  isSwitch: false,
  isDate: true,
  client: 'string',
  prisma: { type: 'DateTime', native: '@db.Timestamptz(3)', preset: instantDefault },
  key: null,
  rule: { ...usualRule('dateTime'), file: 'time-rules' },
  document: {
    shown: (column) => ({ ...texts(column), format: 'date-time' }),
    sent: (column) => ({ ...texts(column), format: 'date-time' }),
    parameter: () => ({
      name: 'dateTime',
      schema: { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
    }),
  },
  existing: { types: ['timestamp'], preset: () => undefined },
  told: null,
  sample: () => '2026-01-31T12:00:00.000Z',
  row: null,
  varied: null,
  edges: { usual: { name: 'instants', values: usual }, of: () => usual.map(valueOf) },
  seed: () => "new Date('2026-01-01')",
}
