/** Fields that become others, and what their rows hold before and after. */
import type { DatabaseName } from '../../support/databases.js'

export interface Change {
  readonly from: string
  readonly to: string
  /**
   * Values of rows, as SQL and as the server shows them: both in the order of sorting, before NULL.
   */
  readonly old: readonly [string, string]
  readonly now: readonly [unknown, unknown]
  /** How it is matched; without, it is neither matched nor sorted by. */
  readonly match?: string
}

const uuid = (end: string) => `0190c2f4-0000-7000-8000-00000000000${end}`

/** An instant and a day as the database keeps them. */
export const at = (name: DatabaseName, text: string) =>
  name === 'sqlite' ? `'${text}+00:00'` : `'${text}Z'`
const day = (name: DatabaseName, text: string) =>
  name === 'sqlite' ? `'${text}T00:00:00.000+00:00'` : `'${text}'`

export const changesOn = (name: DatabaseName): Readonly<Record<string, Change>> => ({
  instant_day: {
    from: 'dateTime()',
    to: 'date()',
    old: [at(name, '0001-01-01T00:00:00.000'), at(name, '9999-12-31T00:00:00.000')],
    now: ['0001-01-01', '9999-12-31'],
    match: 'datetime',
  },
  day_instant: {
    from: 'date()',
    to: 'dateTime()',
    old: [day(name, '1969-12-31'), day(name, '2024-02-29')],
    now: ['1969-12-31T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    match: 'datetime',
  },
  digits: {
    from: 'decimal(10, 2)',
    to: 'decimal(12, 4)',
    old: ['-0.01', '99999999.99'],
    now: ['-0.0100', '99999999.9900'],
    match: 'between',
  },
  text_decimal: {
    from: 'text()',
    to: 'decimal(10, 2)',
    old: [`'-99999999.99'`, `'48.5'`],
    now: ['-99999999.99', '48.50'],
    match: 'between',
  },
  integer_decimal: {
    from: 'integer()',
    to: 'decimal(15, 2)',
    old: ['-2147483648', '2147483647'],
    now: ['-2147483648.00', '2147483647.00'],
    match: 'between',
  },
  decimal_float: {
    from: 'decimal(10, 2)',
    to: 'float()',
    old: ['-0.01', '12.30'],
    now: [-0.01, 12.3],
    match: 'number',
  },
  text_integer: {
    from: 'text()',
    to: 'integer()',
    old: [`'-2147483648'`, `'10'`],
    now: [-2147483648, 10],
    match: 'integer',
  },
  text_float: {
    from: 'text()',
    to: 'float()',
    old: [`'-7.50'`, `'0.1'`],
    now: [-7.5, 0.1],
    match: 'number',
  },
  text_boolean: {
    from: 'text()',
    to: 'boolean()',
    old: [`'false'`, `'true'`],
    now: [false, true],
    match: 'boolean',
  },
  integer_boolean: {
    from: 'integer()',
    to: 'boolean()',
    old: ['0', '1'],
    now: [false, true],
    match: 'boolean',
  },
  text_uuid: {
    from: 'text()',
    to: 'uuid()',
    old: [`'${uuid('1')}'`, `'${uuid('a').toUpperCase()}'`],
    now: [uuid('1'), uuid('a')],
    match: 'text',
  },
  text_date: {
    from: 'text()',
    to: 'date()',
    old: [`'2024-02-29'`, `'2026-02-03'`],
    now: ['2024-02-29', '2026-02-03'],
    match: 'datetime',
  },
  text_instant: {
    from: 'text()',
    to: 'dateTime()',
    old: [`'2026-02-03T04:05:06+02:00'`, `'2026-02-03T04:05:06.789Z'`],
    now: ['2026-02-03T02:05:06.000Z', '2026-02-03T04:05:06.789Z'],
    match: 'datetime',
  },
  integer_text: {
    from: 'integer()',
    to: 'text()',
    old: ['10', '9'],
    now: ['10', '9'],
    match: 'text',
  },
  text_select: {
    from: 'text()',
    to: "select(['a', 'b'])",
    old: [`'a'`, `'b'`],
    now: ['a', 'b'],
    match: 'text',
  },
  fewer_options: {
    from: "select(['a', 'b', 'c'])",
    to: "select(['a', 'b'])",
    old: [`'a'`, `'b'`],
    now: ['a', 'b'],
    match: 'text',
  },
  text_json: {
    from: 'text()',
    to: 'json()',
    old: [`'{"x": [1, null]}'`, `'[]'`],
    now: [{ x: [1, null] }, []],
  },
  json_list: {
    from: 'json()',
    to: "multiSelect(['a', 'b'])",
    old: [`'["a"]'`, `'["a", "b"]'`],
    now: [['a'], ['a', 'b']],
  },
  select_list: {
    from: "select(['a', 'b'])",
    to: "multiSelect(['a', 'b'])",
    old: [`'a'`, `'b'`],
    now: [['a'], ['b']],
  },
})
