import { date as stored } from '../../runtime/kinds/date.js'
import { noDigits } from '../../runtime/kinds/kind.js'
import { instantDefault } from './date-time.js'
import type { Kind } from './kind.js'
import { valueOf } from './literal.js'
import { usualRule } from './rule.js'
import { texts } from './schema.js'
import { asText, count } from './text/text.js'

const usual = ['0001-01-01', '1999-12-31', '2000-02-29', '9999-12-31']

export const date: Kind<'date', 'date'> = {
  name: 'date',
  storage: 'date',
  group: 'date',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['datetime', 'between'],
  bound: count,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: {
    says: "a day as 'YYYY-MM-DD'",
    example: ".default('2026-02-03')",
    read: (written) => asText(stored.fromJson(written, noDigits)),
  },
  typescript: 'string',
  graphql: 'String',
  isList: false,
  isSwitch: false,
  isDate: true,
  client: 'string',
  prisma: { type: 'DateTime', native: '@db.Date', preset: instantDefault },
  key: null,
  rule: { ...usualRule('date'), file: 'time-rules' },
  document: {
    shown: (column) => ({ ...texts(column), format: 'date' }),
    sent: (column) => ({
      ...texts(column),
      format: 'date',
      pattern: '^(?!0000)\\d{4}-\\d\\d-\\d\\d$',
    }),
    parameter: () => ({ name: 'date', schema: { type: 'string', format: 'date' } }),
  },
  existing: { types: ['date'], preset: () => undefined },
  told: null,
  sample: () => '2026-01-31',
  row: null,
  varied: null,
  edges: { usual: { name: 'dates', values: usual }, of: () => usual.map(valueOf) },
  seed: () => "new Date('2026-01-01')",
}
